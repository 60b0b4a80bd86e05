import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killWhenOrphaned } from '../support/kill-when-orphaned.ts'
import type { Recipe } from './recipe.ts'

export interface Haproxy extends AsyncDisposable {
  /** Where it accepts connections, as host:port. */
  address: string
}

/** Starts HAProxy with the file of the page, on a free port. */
export async function startHaproxy(recipe: Recipe): Promise<Haproxy> {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-haproxy-'))
  const address = `127.0.0.1:${await freePort()}`
  const path = join(folder, 'haproxy.cfg')
  writeFileSync(path, recipe.file('/etc/haproxy/haproxy.cfg', { '127.0.0.1:5000': address }))
  const child = spawn('haproxy', ['-f', path], { stdio: 'ignore' })
  killWhenOrphaned(child, 'process')
  return {
    address,
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit')
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL')
        await ended
      }
      rmSync(folder, { recursive: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
