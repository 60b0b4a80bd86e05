import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { mergeMetrics } from './merge-metrics.ts'

async function metricsOf(attempts: number): Promise<string> {
  const registry = new Registry()
  const registers = [registry]
  new Counter({ name: 'attempts_total', help: 'Attempts.', labelNames: ['result'], registers }).inc(
    { result: 'a {strange} "one"' },
    attempts,
  )
  new Gauge({ name: 'in_flight', help: 'In flight.', registers }).set(attempts)
  new Histogram({ name: 'duration_seconds', help: 'Duration.', buckets: [1], registers }).observe(attempts)
  return await registry.metrics()
}

test('each metric has one description and the samples of all shards', async () => {
  const merged = mergeMetrics([
    { text: '# HELP up Whether it is up.\n# TYPE up gauge\nup{shard="1"} 0\n', shard: null },
    { text: await metricsOf(3), shard: 0 },
    { text: await metricsOf(4), shard: 7 },
  ])
  expect(merged.trimEnd().split('\n')).toEqual([
    '# HELP up Whether it is up.',
    '# TYPE up gauge',
    'up{shard="1"} 0',
    '# HELP attempts_total Attempts.',
    '# TYPE attempts_total counter',
    'attempts_total{shard="0",result="a {strange} \\"one\\""} 3',
    'attempts_total{shard="7",result="a {strange} \\"one\\""} 4',
    '# HELP in_flight In flight.',
    '# TYPE in_flight gauge',
    'in_flight{shard="0"} 3',
    'in_flight{shard="7"} 4',
    '# HELP duration_seconds Duration.',
    '# TYPE duration_seconds histogram',
    'duration_seconds_bucket{shard="0",le="1"} 0',
    'duration_seconds_bucket{shard="0",le="+Inf"} 1',
    'duration_seconds_sum{shard="0"} 3',
    'duration_seconds_count{shard="0"} 1',
    'duration_seconds_bucket{shard="7",le="1"} 0',
    'duration_seconds_bucket{shard="7",le="+Inf"} 1',
    'duration_seconds_sum{shard="7"} 4',
    'duration_seconds_count{shard="7"} 1',
  ])
})
