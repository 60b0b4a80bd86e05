import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Certificate } from '../../packages/server/test/egress/certificate.ts'

/** All requests, distinct deliveries (event and path), and acknowledged requests by group. */
export interface Ledger {
  requests: number
  deliveries: number
  acknowledged: Record<string, number>
}

/** By group of paths: the first arrival of each delivery, and its latency from `due_ms` of the event. */
export type Latencies = Record<string, { arrivedAtMs: Float64Array; latencyMs: Float64Array }>

/**
 * How a group of paths answers. `hang` never answers. Its connections close when the group gets another behavior. `reset`
 * resets the connection.
 */
export type Behaviour = 'ok' | 'fail' | 'hang' | 'reset' | { okAfterMs: number }

export type ToReceiver = { group: string; behaviour: Behaviour } | { ask: 'counts' | 'latencies' }
export type FromReceiver = { port: number } | { answer: Ledger | Latencies }

export interface ReceiverProcess extends Disposable {
  /** It listens on every address of 127.0.0.0/8, so that each endpoint can have its own origin. */
  port: number
  pid: number
  ledger(): Promise<Ledger>
  latencies(): Promise<Latencies>
  /** Sets the behavior for the paths `/<group>/…`. The default is `ok`. */
  behave(group: string, behaviour: Behaviour): void
}

/** Starts the cheap receiver in its own process, with TLS if there is a certificate. */
export async function startReceiverProcess(certificate?: Certificate): Promise<ReceiverProcess> {
  const pems = certificate === undefined ? [] : [certificate.key, certificate.cert]
  const child = fork(new URL('cheap-receiver.ts', import.meta.url), pems, {
    execArgv: [],
    serialization: 'advanced',
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const send = (message: ToReceiver): void => void child.send(message)
  // responses arrive in the order of the requests
  let previous: Promise<unknown> = Promise.resolve()
  const ask = async <Answer>(what: 'counts' | 'latencies'): Promise<Answer> => {
    const asked = previous.then(async () => {
      const answered = once(child, 'message') as Promise<[{ answer: Answer }]>
      send({ ask: what })
      return (await answered)[0].answer
    })
    previous = asked
    return await asked
  }
  return {
    port,
    pid: child.pid ?? 0,
    ledger: async () => await ask<Ledger>('counts'),
    latencies: async () => await ask<Latencies>('latencies'),
    behave: (group, behaviour) => send({ group, behaviour }),
    [Symbol.dispose]: () => child.kill('SIGKILL'),
  }
}
