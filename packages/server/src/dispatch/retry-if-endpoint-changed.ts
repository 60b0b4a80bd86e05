import { plainArray, plainColumns } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import type { Settlement } from './settle.ts'

/**
 * Replaces the verdict on each 410 whose endpoint has changed since the claim: the old URL may have answered, so the delivery is
 * retried. If an earlier 410 has disabled the endpoint and nothing else has changed, the verdict stays.
 */
export async function retryIfEndpointChanged(
  db: Queryable,
  settlements: readonly Settlement[],
): Promise<void> {
  const gone = settlements.filter(({ verdict }) => verdict.ifEndpointChanged !== null)
  if (gone.length === 0) return
  const deliveries = gone.map(({ delivery }) => delivery)
  const changed = await db.query<{ n: number }>(
    `select n::int as n
     from unnest($1::uuid[], $2::uuid[], $3::bigint[]) with ordinality as r (account_id, endpoint_id, version, n)
     join endpoint e on e.account_id = r.account_id and e.id = r.endpoint_id
     where e.version <> r.version + (e.status = 'disabled' and e.disabled_reason = 'gone')::int`,
    [
      ...plainColumns(deliveries, 'accountId', 'endpointId'),
      plainArray(deliveries.map(({ endpointVersion }) => endpointVersion)),
    ],
  )
  for (const { n } of changed) {
    const settlement = gone[n - 1]
    const ordinary = settlement?.verdict.ifEndpointChanged ?? null
    if (settlement !== undefined && ordinary !== null) settlement.verdict = ordinary
  }
}
