import cluster from 'node:cluster'
import type { Registry } from 'prom-client'
import { answerOver, askOver, type Channel } from './questions.ts'

/** This process as one of several that a leader has started. */
export interface Member {
  /** Counted by the leader from one. */
  readonly number: number
  /** Tells the leader that this process can work, and from then on what its registry has whenever it is asked. */
  ready(registry: Registry): Promise<void>
  /** The metrics of all; null where the leader is gone, or one of them cannot tell. */
  metricsOfAll(): Promise<string | null>
  /** Lets go of the leader, so that the process can end. */
  leave(): void
}

/** Null when this process is on its own. */
export function thisMember(): Member | null {
  const { worker } = cluster
  if (!cluster.isWorker || worker === undefined) return null
  // else this process would end in the middle of everything when its leader is gone, instead of draining
  worker.exitedAfterDisconnect = true
  // of a leader that is gone the end of the channel tells
  worker.on('error', () => {})
  const leader: Channel = worker
  return {
    number: worker.id,
    ready: async registry => {
      answerOver(leader, { 'own metrics': async () => await registry.getMetricsAsJSON() })
      // the leader listens, not this process: the channel is what it stays alive for
      process.channel?.ref()
      await askOver(leader, 'ready')
    },
    metricsOfAll: async () => {
      const text = await askOver(leader, 'metrics').catch(() => null)
      return typeof text === 'string' ? text : null
    },
    leave: () => {
      if (process.connected) process.disconnect()
    },
  }
}
