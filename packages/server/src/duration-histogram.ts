import type { Histogram, Registry } from 'prom-client'

/** A histogram of Prometheus that has no labels. */
export interface DurationHistogram {
  observe(seconds: number): void
}

/**
 * Registers a histogram of durations. That of the library looks a bucket up by the text of its bound, which took longer
 * than all else that is counted of an attempt.
 * @param boundsSeconds ascending; what exceeds the last one is counted beyond it
 */
export function durationHistogram(
  registry: Registry,
  name: string,
  help: string,
  boundsSeconds: readonly number[],
): DurationHistogram {
  const counts = Array.from({ length: boundsSeconds.length + 1 }, () => 0)
  let sum = 0
  const values = (): Value[] => {
    let count = 0
    const buckets = counts.map((ofBucket, n) => {
      count += ofBucket
      return { metricName: `${name}_bucket`, labels: { le: boundsSeconds[n] ?? '+Inf' }, value: count }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: {}, value: sum },
      { metricName: `${name}_count`, labels: {}, value: count },
    ]
  }
  const metric = {
    name,
    // what a registry asks of its metrics, for its text and for other processes
    get: async () =>
      await Promise.resolve({ name, help, type: 'histogram', aggregator: 'sum', values: values() }),
  }
  registry.registerMetric(metric as unknown as Histogram)
  return {
    observe(seconds) {
      let bucket = 0
      while (bucket < boundsSeconds.length && seconds > (boundsSeconds[bucket] ?? 0)) bucket++
      counts[bucket] = (counts[bucket] ?? 0) + 1
      sum += seconds
    },
  }
}

type Value = Awaited<ReturnType<Histogram<'le'>['get']>>['values'][number]
