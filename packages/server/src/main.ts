import { setFlagsFromString } from 'node:v8'
import { runCommandLine } from './cli/run-command-line.ts'

// V8 moves what it expects to live long to the old generation at birth, and expects wrongly after a burst: each request
// then keeps the next one's objects alive, and a pause of the garbage collector takes ten milliseconds instead of two.
setFlagsFromString('--no-allocation-site-pretenuring')

process.exitCode = await runCommandLine(process.argv.slice(2))
