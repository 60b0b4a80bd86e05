import { execFileSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// What is published: JavaScript and declarations, one file for each source file, from an empty folder.
// Into `dist`, or into the folder that is named.
const here = import.meta.dirname
const dist = process.argv[2] ?? join(here, 'dist')
const require = createRequire(import.meta.url)
const typescript = dirname(require.resolve('typescript/package.json'))

rmSync(dist, { recursive: true, force: true })
const tsc = [join(typescript, 'bin', 'tsc'), '-p', join(here, 'tsconfig.build.json'), '--outDir', dist]
execFileSync(process.execPath, tsc, { stdio: 'inherit' })
// Declarations keep the `.ts` of the source in their imports, which no reader of the package has.
for (const name of readdirSync(dist).filter(file => file.endsWith('.d.ts'))) {
  const path = join(dist, name)
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(from ')(\.\/[\w-]+)\.ts(')/g, '$1$2.js$3'))
}

// The vectors name their schema, and nothing imports it.
const schema = 'signature-vectors.schema.json'
copyFileSync(join(here, 'src', schema), join(dist, schema))

// As JavaScript, the vectors load everywhere; importing JSON warns on Node 20 and needs a setting in bundlers.
const vectors = readFileSync(join(dist, 'signature-vectors.json'), 'utf8')
writeFileSync(join(dist, 'signature-vectors.js'), `export default ${vectors}`)
const testing = join(dist, 'testing.js')
const json = `'./signature-vectors.json' with { type: 'json' }`
writeFileSync(testing, readFileSync(testing, 'utf8').replace(json, `'./signature-vectors.js'`))
