import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killWhenOrphaned } from './kill-when-orphaned.ts'
import { until } from './until.ts'

export interface Pgbouncer extends AsyncDisposable {
  /** The URL of `databaseUrl`'s database through the pooler. */
  url(databaseUrl: string): string
}

export interface PgbouncerOptions {
  mode: 'session' | 'transaction'
  /** The startup parameters that it drops. It refuses other unknown ones. */
  ignored: readonly string[]
}

/** Puts a PgBouncer in front of a server on a Unix socket. */
export async function startPgbouncer(
  serverUrl: string,
  { mode, ignored }: PgbouncerOptions,
): Promise<Pgbouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-pgbouncer-'))
  const isRoot = process.getuid?.() === 0
  // it refuses to run as root
  if (isRoot) chmodSync(folder, 0o777)
  writeFileSync(join(folder, 'users'), '"posthorn" ""\n')
  writeFileSync(
    join(folder, 'ini'),
    `[databases]
* = host=${decodeURIComponent(new URL(serverUrl).hostname)} port=5432
[pgbouncer]
listen_addr =
listen_port = 5432
unix_socket_dir = ${folder}
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = ${mode}
default_pool_size = 50
${ignored.length === 0 ? '' : `ignore_startup_parameters = ${ignored.join(',')}`}
`,
  )
  const child = spawn('pgbouncer', [join(folder, 'ini')], {
    stdio: 'ignore',
    ...(isRoot && { uid: 65534, gid: 65534 }),
  })
  killWhenOrphaned(child, 'process')
  const ended = once(child, 'exit')
  await until('PgBouncer accepts connections', async () => await accepts(join(folder, '.s.PGSQL.5432')))
  return {
    url: databaseUrl => databaseUrl.replace(new URL(databaseUrl).hostname, encodeURIComponent(folder)),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

/** The version of the installed PgBouncer, for reports. */
export function pgbouncerVersion(): string {
  return execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' }).split('\n')[0] ?? ''
}

async function accepts(path: string): Promise<boolean> {
  const socket = createConnection(path)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  const answer = await promise
  socket.destroy()
  return answer
}
