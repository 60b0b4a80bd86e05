import { accept } from './accept/accept.ts'
import { backlog } from './backlog/backlog.ts'
import { fairness } from './fairness/fairness.ts'
import { isolation } from './isolation/isolation.ts'
import { kill } from './kill/kill.ts'
import { latency } from './latency/latency.ts'
import { memory } from './memory/memory.ts'
import { outage } from './outage/outage.ts'
import { processes } from './processes/processes.ts'
import { shards } from './shards/shards.ts'
import { start } from './start/start.ts'
import type { Bench } from './support/bench.ts'
import { throughput } from './throughput/throughput.ts'

/** All benches, in the order of the table. */
export const benches: readonly Bench[] = [
  throughput,
  accept,
  latency,
  isolation,
  backlog,
  fairness,
  processes,
  shards,
  memory,
  start,
  kill,
  outage,
]
