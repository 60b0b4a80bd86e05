import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { buildDashboard } from '../../tools/build-dashboard.ts'

// What is published: JavaScript in dist, one file for each source file. The workspace packages that the service is made
// of are compiled into it, so that one tarball is the whole product.
const here = import.meta.dirname
const dist = join(here, 'dist')
const require = createRequire(import.meta.url)
const typescript = dirname(require.resolve('typescript/package.json'))

rmSync(dist, { recursive: true, force: true })
execFileSync(process.execPath, [join(typescript, 'bin', 'tsc'), '-p', join(here, 'tsconfig.build.json')], {
  stdio: 'inherit',
})

// dist stands where src stands, so that the migrations and package.json are found from either
const inside = join(dist, '@posthorn')
const emitted = join(here, 'dist-by-package')
renameSync(dist, emitted)
renameSync(join(emitted, 'server', 'src'), dist)
rmSync(join(emitted, 'server'), { recursive: true })
const packages = readdirSync(emitted)
renameSync(emitted, inside)

const importedPackage = /(?<=\bfrom |\bimport\()'@posthorn\/([\w-]+)(\/[\w-]+)?'/g
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !entry.name.endsWith('.js')) continue
  const path = join(entry.parentPath, entry.name)
  const text = readFileSync(path, 'utf8').replaceAll(importedPackage, (_, name: string, subpath = '') => {
    const target = relative(entry.parentPath, compiledEntry(name, subpath)).replaceAll('\\', '/')
    return `'${target.startsWith('.') ? target : `./${target}`}'`
  })
  writeFileSync(path, text)
}

// never an old one; after the imports, because its pages show code that must stay as it is
await buildDashboard()
cpSync(join(here, '..', 'dashboard', 'dist'), join(dist, 'dashboard'), { recursive: true })

/** The compiled file behind an export of a workspace package. */
function compiledEntry(name: string, subpath: string): string {
  if (!packages.includes(name)) throw new Error(`@posthorn/${name} was not compiled`)
  const text = readFileSync(join(here, '..', name, 'package.json'), 'utf8')
  const { exports } = JSON.parse(text) as { exports: Record<string, { '@posthorn/source': string }> }
  const source = exports[`.${subpath}`]?.['@posthorn/source']
  if (source === undefined) throw new Error(`@posthorn/${name} does not export .${subpath}`)
  return join(inside, name, source.replace(/\.ts$/, '.js'))
}
