import cluster from 'node:cluster'
import type { Registry } from 'prom-client'
import { type Channel, request, respond } from './channel.ts'

/** This process as one of several that a leader has started. */
export interface Member {
  /** The leader counts from one. */
  readonly number: number
  /** Tells the leader that this process is ready; from now on the leader can request its metrics. */
  ready(registry: Registry): Promise<void>
  /** The metrics of all processes; null if the leader or one of them does not answer. */
  metricsOfAll(): Promise<string | null>
  /** Disconnects from the leader, so that the process can exit. */
  leave(): void
}

/** Null if no leader started this process. */
export function thisMember(): Member | null {
  const { worker } = cluster
  if (!cluster.isWorker || worker === undefined) return null
  // without this, the process would exit at once when its leader is gone, instead of draining
  worker.exitedAfterDisconnect = true
  // sending to a leader that is gone fails; the disconnect is handled in `request`
  worker.on('error', () => {})
  const leader: Channel = worker
  return {
    number: worker.id,
    ready: async registry => {
      respond(leader, { 'own metrics': async () => await registry.getMetricsAsJSON() })
      // the leader owns the listening sockets, so only the channel keeps this process alive
      process.channel?.ref()
      await request(leader, 'ready')
    },
    metricsOfAll: async () => {
      const text = await request(leader, 'metrics').catch(() => null)
      return typeof text === 'string' ? text : null
    },
    leave: () => {
      if (process.connected) process.disconnect()
    },
  }
}
