import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { killWhenOrphaned } from '../../packages/server/test/support/kill-when-orphaned.ts'
import type { Installation } from '../../packages/server/test/support/service-process.ts'
import type { Form } from './installed.ts'

/** A service that was started with the command `posthorn start`. */
export interface Operated extends AsyncDisposable {
  url: string
  /** The time from the command to the first 200 of `/readyz`. */
  readyMs: number
  /** The pid of the service itself, not of the command. */
  pid: number
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<void>
  /** Sends SIGKILL to all its processes. */
  kill(): Promise<void>
}

/** Runs `posthorn start` and waits until it is ready. */
export async function operate(
  form: Form,
  installation: Installation,
  settings: Record<string, string> = {},
): Promise<Operated> {
  const { place, adminToken, masterKeys } = installation
  const startedMs = performance.now()
  const child = spawn(process.execPath, [form.bin, 'start'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // its own process group, so that SIGKILL ends the command and the service together
    detached: true,
    env: {
      PATH: process.env['PATH'],
      POSTHORN_PORT: '0',
      POSTHORN_DATA_DIR: place.dataDir,
      ...(place.databaseUrl !== null && { DATABASE_URL: place.databaseUrl }),
      POSTHORN_ADMIN_TOKEN: adminToken,
      POSTHORN_MASTER_KEYS: masterKeys,
      POSTHORN_EGRESS_ALLOW: '127.0.0.0/8',
      POSTHORN_EGRESS_HTTP: 'true',
      POSTHORN_API_RATE_LIMIT: '0',
      ...settings,
    },
  })
  killWhenOrphaned(child, 'group')
  const ended = once(child, 'exit')
  const command = child.pid ?? 0
  const end = async (send: () => void): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    send()
    await ended
  }
  const kill = async (): Promise<void> => await end(() => void process.kill(-command, 'SIGKILL'))
  const url = await listening(child)
  while (!(await fetch(`${url}/readyz`)).ok);
  return {
    url,
    readyMs: performance.now() - startedMs,
    pid: Number.parseInt(readFileSync(`/proc/${command}/task/${command}/children`, 'utf8'), 10),
    stop: async () => await end(() => void child.kill('SIGTERM')),
    kill,
    [Symbol.asyncDispose]: kill,
  }
}

/** Waits until its log has the URL. */
async function listening(child: ReturnType<typeof spawn>): Promise<string> {
  let output = ''
  return await new Promise((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const url = /"url":"(http:[^"]+)"/.exec(output)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.once('exit', code => reject(new Error(`the service ended with ${code}:\n${output}`)))
  })
}
