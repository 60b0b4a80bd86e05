import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Certificate } from '../../packages/server/test/egress/certificate.ts'

export interface Origins {
  origins: number
  certificate: Certificate | null
}
export type FromHanging = { ports: number[] } | { requests: number }

/** Origins that never answer: one process with one port for each. */
export interface Hanging extends Disposable {
  urls: string[]
  /** The number of requests that have arrived. */
  count(): Promise<number>
}

/** Starts the origins, with TLS if there is a certificate for `localhost`. */
export async function startHanging(origins: number, certificate: Certificate | null): Promise<Hanging> {
  const child = fork(new URL('hanging-receiver.ts', import.meta.url), { execArgv: [] })
  const ask = async <Answer extends FromHanging>(question: Origins | 'count'): Promise<Answer> => {
    child.send(question)
    return ((await once(child, 'message')) as [Answer])[0]
  }
  const { ports } = await ask<{ ports: number[] }>({ origins, certificate })
  const base = certificate === null ? 'http://127.0.0.1' : 'https://localhost'
  return {
    urls: ports.map(port => `${base}:${port}/`),
    count: async () => (await ask<{ requests: number }>('count')).requests,
    [Symbol.dispose]: () => child.kill('SIGKILL'),
  }
}
