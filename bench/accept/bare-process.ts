import { fork } from 'node:child_process'
import { once } from 'node:events'

export type ToBareServer = 'count'
export type FromBareServer = { port: number } | { stored: number }

export interface BareProcess extends Disposable {
  url: string
  pid: number
  /** Rows in its table. */
  stored(): Promise<number>
}

/**
 * Starts the bare server in a process of its own.
 * @param databaseUrl null for the one that stores nothing
 */
export async function startBareProcess(databaseUrl: string | null): Promise<BareProcess> {
  const child = fork(new URL('bare-server.ts', import.meta.url), databaseUrl === null ? [] : [databaseUrl])
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    stored: async () => {
      const told = once(child, 'message') as Promise<[{ stored: number }]>
      child.send('count' satisfies ToBareServer)
      return (await told)[0].stored
    },
    [Symbol.dispose]: () => child.kill('SIGKILL'),
  }
}
