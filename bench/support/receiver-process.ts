import { fork } from 'node:child_process'
import { once } from 'node:events'

/** What arrived: requests in all, and different events among them. */
export interface Ledger {
  requests: number
  events: number
}

export interface ReceiverProcess extends Disposable {
  port: number
  ledger(): Promise<Ledger>
}

/** Starts the cheap receiver in a process of its own. */
export async function startReceiverProcess(): Promise<ReceiverProcess> {
  const child = fork(new URL('cheap-receiver.ts', import.meta.url), { execArgv: [] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    port,
    ledger: async () => {
      const answered = once(child, 'message') as Promise<[Ledger]>
      child.send('ledger')
      return (await answered)[0]
    },
    [Symbol.dispose]: () => child.kill('SIGKILL'),
  }
}
