import type { PreparedStatement } from '../db/database.ts'
import { oncePerDay } from '../domain/partition-day.ts'
import { settleEndpoints } from './settle-endpoints.ts'

/**
 * What is written of deliveries whose first attempt was acknowledged: the attempts. While the row stands that they are held by
 * (`$1`), nobody else has touched a delivery of it, and its attempt says all about it.
 */
const attempts = (ofDay: string): string => `
with kept as materialized (
  select from hold where id = any ($1::uuid[]) order by id for key share
),
logged as (
  insert into attempt${ofDay} (account_id, delivery_id, id, number, trigger, duration_ms, dns_ms, connect_ms, tls_ms,
    first_byte_ms, status_code, process, response_headers, response_body, verified_by, request)
  select ($2::uuid[])[($3::int[])[n]], ($4::uuid[])[n], ($5::uuid[])[n], 1, 'schedule', ($6::real[])[n],
    nullif(($7::real[])[n], -1), nullif(($8::real[])[n], -1), nullif(($9::real[])[n], -1), nullif(($10::real[])[n], -1),
    nullif(($11::smallint[])[n], -1), ($12::int[])[n],
    convert_from(substring($13::bytea from ($14::int[])[head] for ($14::int[])[head + 1] - ($14::int[])[head]), 'UTF8'),
    response_body, verified_by, request
  from (
    select t.*, ($15::int[])[n] as head
    from unnest($16::text[], $17::text[], $18::text[]) with ordinality as t (response_body, verified_by, request, n)
  ) t
),
emptied as (
  delete from hold where id = any ($19::uuid[]) and timeline = wal_timeline()
)`

const allKept = `
select refuse_late_results() where (select count(*) from kept) < cardinality($1::uuid[])`

/** The statements for acknowledgements that touch no endpoint, the usual ones, and for the others; see `settleStatements`. */
export const acknowledgedStatements = oncePerDay(
  (ofDay): Record<'usual' | 'withEndpoints', PreparedStatement> => ({
    usual: { name: `acknowledged${ofDay}`, text: attempts(ofDay) + allKept },
    withEndpoints: {
      name: `acknowledged_with_endpoints${ofDay}`,
      text: attempts(ofDay) + settleEndpoints(20) + allKept,
    },
  }),
)
