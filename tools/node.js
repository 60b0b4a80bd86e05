// `node tools/node.js program.ts …` runs a program of this workspace from its sources with Node 24.
import { runUnderNode24 } from '../packages/server/bin/node-24.js'

runUnderNode24(['--conditions=@posthorn/source', ...process.argv.slice(2)])
