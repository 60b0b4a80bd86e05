import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from './until.ts'

/** Starts a separate Redis server on a socket in a temporary folder. */
export async function startRedis(): Promise<{ socket: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-redis-'))
  const socket = join(folder, 'redis.sock')
  const args = ['--port', '0', '--unixsocket', socket, '--save', '', '--appendonly', 'no', '--dir', folder]
  const server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  // Omits the first letter, because some versions capitalize it.
  await until(server.stdout, 'eady to accept connections')
  return {
    socket,
    async stop() {
      const exit = once(server, 'exit')
      server.kill()
      await exit
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
