import { setTimeout as wait } from 'node:timers/promises'
import { epochMs } from '../support/latency-window.ts'
import type { ReceiverProcess } from '../support/receiver-process.ts'
import { serviceMetrics } from '../support/service-metrics.ts'

export interface Sample {
  atMs: number
  /** Deliveries that are accepted and not finished. */
  backlog: number
  /** Requests that the receivers of these groups have acknowledged since the start. */
  acknowledged: number
}

/** Samples the backlog and the arrivals at some groups of receivers once a second until stopped. */
export function startSampler(url: string, receiver: ReceiverProcess, groups: readonly string[]) {
  const samples: Sample[] = []
  const stopping = new AbortController()
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const atMs = epochMs()
      const [metric, ledger] = await Promise.all([serviceMetrics(url), receiver.ledger()])
      samples.push({
        atMs,
        backlog: backlogOf(metric),
        acknowledged: groups.reduce((sum, group) => sum + (ledger.acknowledged[group] ?? 0), 0),
      })
      await wait(Math.max(0, atMs + 1_000 - epochMs()), undefined, { signal: stopping.signal }).catch(
        () => {},
      )
    }
  }
  const running = run()
  // `stop` reports the error
  running.catch(() => {})
  return {
    samples,
    stop: async (): Promise<void> => {
      stopping.abort()
      await running
    },
  }
}

/** Uses counters, because the gauge of the service is an estimate above 100,000. Each event has one delivery here. */
function backlogOf(metric: (name: string) => number): number {
  const finished = (state: string): number => metric(`posthorn_deliveries_finished_total{state="${state}"}`)
  return metric('posthorn_events_accepted_total') - finished('delivered') - finished('exhausted')
}
