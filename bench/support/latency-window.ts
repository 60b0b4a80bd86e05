import type { Latencies } from './receiver-process.ts'

/** Latencies in milliseconds of the deliveries of a group whose events were due within a stretch of time. */
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

/** The moment, on the clock that `due_ms` is in. */
export function epochMs(): number {
  return performance.timeOrigin + performance.now()
}
