import { AggregatorRegistry, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { durationHistogram } from './duration-histogram.ts'

/** A registry with one histogram that was told of these durations. */
function told(...seconds: number[]): Registry {
  const registry = new Registry()
  const histogram = durationHistogram(registry, 'took_seconds', 'How long it took.', [0.5, 1])
  for (const one of seconds) histogram.observe(one)
  return registry
}

test('each bucket counts what took no longer than its bound, the last one all', async () => {
  expect(await told(0.25, 0.5, 0.75, 4).metrics()).toBe(`# HELP took_seconds How long it took.
# TYPE took_seconds histogram
took_seconds_bucket{le="0.5"} 2
took_seconds_bucket{le="1"} 3
took_seconds_bucket{le="+Inf"} 4
took_seconds_sum 5.5
took_seconds_count 4
`)
})

test('those of several processes add up', async () => {
  const each = await Promise.all([told(0.25, 4), told(0.75)].map(async one => await one.getMetricsAsJSON()))
  const text = await AggregatorRegistry.aggregate(each).metrics()
  expect(text).toContain('took_seconds_bucket{le="0.5"} 1\n')
  expect(text).toContain('took_seconds_bucket{le="1"} 2\n')
  expect(text).toContain('took_seconds_bucket{le="+Inf"} 3\n')
  expect(text).toContain('took_seconds_sum 5\n')
  expect(text).toContain('took_seconds_count 3')
})
