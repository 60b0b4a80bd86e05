import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { build } from 'vite'
import { buildReference, referenceLicenses } from './build-reference.ts'
import { packageFolders, separator, thirdPartyLicenses } from './third-party-licenses.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const dashboard = `${root}packages/dashboard`
const target = `${dashboard}/dist`
const digestFile = `${dashboard}/.built-from`

/** The sources of the built page, besides the packages in package-lock.json. */
const sources = [
  'tools/build-dashboard.ts',
  'tools/build-reference.ts',
  'tools/third-party-licenses.ts',
  'packages/dashboard/index.html',
  'packages/dashboard/package.json',
  'packages/dashboard/vite.config.ts',
  'packages/dashboard/public',
  'packages/dashboard/reference',
  'packages/dashboard/src',
  'packages/contract/src',
  'packages/receiver/src',
  'package-lock.json',
]

/**
 * Builds the dashboard and the API reference, unless they were built from the current sources.
 * @throws the import error of vite if development dependencies are not installed
 */
export async function buildDashboard({ force = false } = {}): Promise<'built' | 'fresh'> {
  const digest = digestOf(sources)
  const isFresh = () =>
    existsSync(target) && existsSync(digestFile) && readFileSync(digestFile, 'utf8') === digest
  if (!force && isFresh()) return 'fresh'
  // built in another folder and renamed, because a service may be reading the old files
  const beside = `${dashboard}/.build-${process.pid}`
  const bundle = await asInProduction(async () => {
    const { build } = await import('vite')
    return await build({
      configFile: `${dashboard}/vite.config.ts`,
      logLevel: 'warn',
      build: { outDir: beside, emptyOutDir: true },
    })
  })
  buildReference(beside)
  writeLicenses(beside, [bundle].flat())
  const isReplaced = (force || !isFresh()) && replace(target, beside)
  rmSync(beside, { recursive: true, force: true })
  if (!isReplaced) return 'fresh'
  writeFileSync(digestFile, digest)
  return 'built'
}

/** Packages whose code is in the bundle although it names no module of theirs. */
const tools = ['radix-ui', 'rolldown', 'tailwindcss', 'vite'].map(name => join(root, 'node_modules', name))

/** Adds the licenses of everything in the built files that others wrote. */
function writeLicenses(folder: string, bundles: Bundle[]): void {
  const paths = bundles
    .flatMap(bundle => ('output' in bundle ? bundle.output : []))
    .flatMap(file => (file.type === 'chunk' ? file.moduleIds : file.originalFileNames))
  const packages = packageFolders(paths.map(path => resolve(dashboard, path)))
  const notices = [thirdPartyLicenses([...tools, ...packages]), referenceLicenses()]
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), notices.join(separator))
}

type Bundle = Exclude<Awaited<ReturnType<typeof build>>, unknown[]>

/** Returns false if another process replaced it at the same time, with a build of the same sources. */
function replace(folder: string, by: string): boolean {
  rmSync(folder, { recursive: true, force: true })
  try {
    renameSync(by, folder)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY') return false
    throw error
  }
}

/** Sets NODE_ENV, because in a test run vite would otherwise build React for development. */
async function asInProduction<T>(work: () => Promise<T>): Promise<T> {
  const before = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production'
  try {
    return await work()
  } finally {
    if (before === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = before
  }
}

function isMissingModule(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
}

function digestOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of paths.flatMap(path => filesBelow(path)).filter(file => !file.includes('.test.'))) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(root + file))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesBelow(path: string): string[] {
  if (statSync(root + path).isFile()) return [path]
  return readdirSync(root + path, { recursive: true, encoding: 'utf8' })
    .map(name => `${path}/${name}`)
    .filter(name => statSync(root + name).isFile())
    .sort()
}

if (import.meta.main) {
  const force = process.argv.includes('--force')
  try {
    if ((await buildDashboard({ force })) === 'built') process.stdout.write('dashboard built\n')
  } catch (error) {
    if (force || !isMissingModule(error)) throw error
    process.stderr.write('dashboard not built, because vite is not installed; the service runs without it\n')
  }
}
