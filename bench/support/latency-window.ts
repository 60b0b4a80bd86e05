import type { Latencies } from './receiver-process.ts'

/** The latencies in milliseconds of a group's deliveries with events that were due in a time range. */
export function latenciesDueIn(
  latencies: Latencies,
  group: string,
  window: { fromMs: number; untilMs: number },
): Float64Array {
  const { arrivedAtMs, latencyMs } = latencies[group] ?? none
  return latencyMs.filter((latency, n) => {
    const dueAtMs = (arrivedAtMs[n] ?? 0) - latency
    return dueAtMs >= window.fromMs && dueAtMs < window.untilMs
  })
}

const none = { arrivedAtMs: new Float64Array(), latencyMs: new Float64Array() }

/** The current time on the clock of `due_ms`. */
export function epochMs(): number {
  return performance.timeOrigin + performance.now()
}
