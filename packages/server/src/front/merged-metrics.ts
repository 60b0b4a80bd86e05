import { Gauge, Registry } from 'prom-client'
import { mergeMetrics } from '../domain/merge-metrics.ts'
import { askAllShards } from './ask-all-shards.ts'
import type { Front } from './front.ts'

/** The metrics of the front, and those of all shards that respond, in the text format of Prometheus. */
export async function mergedMetrics(front: Front): Promise<string> {
  const replies = await askAllShards(front, { path: '/metrics', as: 'text' })
  const own = new Registry()
  const up = new Gauge({
    name: 'posthorn_shard_up',
    help: '1 if the shard responds to this front.',
    labelNames: ['shard'],
    registers: [own],
  })
  for (const { shard, answer } of replies) up.set({ shard }, answer === null ? 0 : 1)
  new Gauge({
    name: 'posthorn_directory_current',
    help: '1 if this front has the current directory from shard 0. Otherwise it uses the last one.',
    registers: [own],
  }).set(front.directory.isCurrent ? 1 : 0)
  return mergeMetrics([
    { text: await own.metrics(), shard: null },
    ...replies.flatMap(({ shard, answer }) =>
      answer === null ? [] : [{ text: String(answer.body), shard }],
    ),
  ])
}
