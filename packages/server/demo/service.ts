import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** A service in its own process and data directory, run by `posthorn start`. */
export interface DemoService extends AsyncDisposable {
  readonly url: string
  readonly adminToken: string
  /** Drains the service; resolves with its exit code. */
  stop(): Promise<number | null>
}

/** Starts the service on a free port. It may deliver to this machine, and retries within seconds. */
export async function startService(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<DemoService> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('POSTHORN_') && name !== 'DATABASE_URL',
  )
  // the IPC channel closes if the demo is killed, and then the service stops
  const child = spawn(process.execPath, ['--conditions=@posthorn/source', main, 'start', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      ...Object.fromEntries(inherited),
      POSTHORN_PORT: '0',
      POSTHORN_DATA_DIR: dataDir,
      POSTHORN_EGRESS_ALLOW: '127.0.0.0/8,::1/128',
      POSTHORN_EGRESS_HTTP: 'true',
      POSTHORN_RETRY_BASE_SECONDS: '0.3',
      POSTHORN_RETRY_CAP_SECONDS: '1',
      ...settings,
    },
  })
  const stop = async (): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    return child.exitCode
  }
  return {
    url: await listeningUrl(child),
    adminToken: readFileSync(join(dataDir, 'admin-token'), 'utf8').trim(),
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop()
    },
  }
}

/** Reads the log until a line has the URL of the service. */
async function listeningUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the service has no standard output')
  const lines = createInterface({ input: child.stdout })
  const printed: string[] = []
  return await new Promise((resolve, reject) => {
    lines.on('line', line => {
      printed.push(line)
      const url = /"url":"(http[^"]+)"/.exec(line)?.[1]
      if (url !== undefined) resolve(url)
    })
    lines.once('close', () => reject(new Error(`the service ended early: ${printed.join('\n')}`)))
  })
}
