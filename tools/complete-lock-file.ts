import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Adds to package-lock.json the builds for other platforms that npm left out.
 *
 * A tool with native builds has one optional package per platform. If a registry lacks one of them, `npm install` silently
 * omits it from the lock, and `npm ci` then refuses the lock. The version is still known, because the tool pins it, and the
 * name of the package contains the platform.
 */
export function completeLockFile(lock: LockFile): string[] {
  const added: string[] = []
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const nested = `${path}/node_modules/${name}`
      if (nested in lock.packages || `node_modules/${name}` in lock.packages) continue
      const platform = platformOf(name)
      if (platform === null || !/^\d+\.\d+\.\d+/.test(version)) continue
      lock.packages[`node_modules/${name}`] = {
        version,
        ...platform,
        ...(entry.dev === true && { dev: true }),
        optional: true,
      }
      added.push(`${name}@${version}`)
    }
  }
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
  return added
}

/** From the root. */
export const lockFiles = ['package-lock.json', 'tools/test-programs/package-lock.json']

export interface LockFile {
  packages: Record<string, LockEntry>
}

export interface LockEntry {
  version?: string
  os?: string[]
  cpu?: string[]
  libc?: string[]
  dev?: boolean
  optional?: boolean
  optionalDependencies?: Record<string, string>
}

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64']

/** `@oxlint/binding-linux-arm64-musl` is for Linux on arm64 with musl. */
function platformOf(name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> | null {
  const parts = name.split(/[/-]/)
  const os = systems.find(system => parts.includes(system))
  const cpu = processors.find(processor => parts.includes(processor))
  if (os === undefined || cpu === undefined) return null
  const libc = parts.includes('musl') ? ['musl'] : parts.includes('gnu') ? ['glibc'] : undefined
  return { os: [os], cpu: [cpu], ...(libc !== undefined && { libc }) }
}

if (import.meta.main) {
  for (const name of lockFiles) {
    const path = new URL(`../${name}`, import.meta.url)
    const lock = JSON.parse(readFileSync(path, 'utf8')) as LockFile
    const added = completeLockFile(lock)
    writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
    process.stdout.write(`${name}: ${added.length} builds for other platforms added\n`)
  }
}
