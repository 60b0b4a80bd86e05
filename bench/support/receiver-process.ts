import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Certificate } from '../../packages/server/test/egress/certificate.ts'

/** What arrived: requests in all, different deliveries (event and path) among them, and per group those answered well. */
export interface Ledger {
  requests: number
  deliveries: number
  acknowledged: Record<string, number>
}

/** Per group of paths: when each delivery arrived first, and how long after its event's `due_ms` that was. */
export type Latencies = Record<string, { arrivedAtMs: Float64Array; latencyMs: Float64Array }>

/**
 * What the paths of a group are answered with. `hang` never answers, until the group is told to behave otherwise, which
 * closes the connection; `reset` breaks it off.
 */
export type Behaviour = 'ok' | 'fail' | 'hang' | 'reset' | { okAfterMs: number }

export type ToReceiver = { group: string; behaviour: Behaviour } | { ask: 'counts' | 'latencies' }
export type FromReceiver = { port: number } | { answer: Ledger | Latencies }

export interface ReceiverProcess extends Disposable {
  /** It listens there on every address of 127.0.0.0/8, so that each endpoint can be an origin of its own. */
  port: number
  pid: number
  ledger(): Promise<Ledger>
  latencies(): Promise<Latencies>
  /** Paths of the form `/<group>/…` are answered like this from now on; at first all are `ok`. */
  behave(group: string, behaviour: Behaviour): void
}

/** Starts the cheap receiver in a process of its own; with a certificate it speaks TLS. */
export async function startReceiverProcess(certificate?: Certificate): Promise<ReceiverProcess> {
  const pems = certificate === undefined ? [] : [certificate.key, certificate.cert]
  const child = fork(new URL('cheap-receiver.ts', import.meta.url), pems, {
    execArgv: [],
    serialization: 'advanced',
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const send = (message: ToReceiver): void => void child.send(message)
  // answers come in the order of the questions
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
