import type { Queryable } from '../db/database.ts'
import { type Failures, readFailures } from './read-failures.ts'
import { type Latency, readLatency } from './read-latency.ts'
import { readTraffic, type Traffic } from './read-traffic.ts'
import type { HealthRow } from './row.ts'

/** What the statistics say about an endpoint. */
export interface EndpointStatistics {
  traffic: Traffic
  latency: Latency
  failures: Failures
}

/** Reads the statistics of several endpoints in at most four statements. Returns a function that gives those of one. */
export async function readStatistics(
  db: Queryable,
  accountId: string,
  endpoints: readonly HealthRow[],
): Promise<(endpointId: string) => EndpointStatistics> {
  const [traffic, latency] = await Promise.all([
    readTraffic(db, accountId, endpoints),
    readLatency(db, accountId, endpoints),
  ])
  const failures = await readFailures(db, accountId, endpoints, traffic)
  return id => ({ traffic: traffic(id), latency: latency(id), failures: failures(id) })
}
