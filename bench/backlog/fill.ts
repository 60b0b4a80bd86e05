import type { Database } from '../../packages/server/src/db/database.ts'

/** The rows to write, as the service would have written them. */
export interface Fill {
  /** Each account with its endpoints, as UUIDs. */
  accounts: ReadonlyArray<{ accountId: string; endpointIds: readonly string[] }>
  /** The number of the first event of each account. */
  firstEvent: number
  events: number
  /** Deliveries per event, distributed over the account's endpoints. */
  fanOut: number
  /** `finished` deliveries are delivered and have an attempt. Of waiting deliveries, all or half are due. */
  as: 'finished' | 'all due' | 'half due'
}

const hourMs = 3_600_000
const dayMs = 86_400_000

/**
 * Writes the rows with SQL, one account at a time on each connection. The ids are from the last hour of today, so that new
 * ids share their partition.
 */
export async function fill(connections: readonly Database[], { accounts, ...plan }: Fill): Promise<void> {
  const nowMs = Date.now()
  const fromMs = Math.max(Math.floor(nowMs / dayMs) * dayMs, nowMs - hourMs)
  const stepMs = (nowMs - fromMs) / (plan.firstEvent + plan.events)
  let next = 0
  const worker = async (db: Database): Promise<void> => {
    for (let n = next++; n < accounts.length; n = next++) {
      const { accountId, endpointIds } = accounts[n] ?? { accountId: '', endpointIds: [] }
      const uuid = (tail: string): string =>
        `(lpad(to_hex((${fromMs} + n * ${stepMs})::bigint), 12, '0') || '70008${n.toString(16).padStart(3, '0')}' || lpad(to_hex(${tail}), 12, '0'))::uuid`
      await fillAccount(db, accountId, endpointIds, { ...plan, uuid })
    }
  }
  await Promise.all(connections.map(worker))
}

async function fillAccount(
  db: Database,
  accountId: string,
  endpointIds: readonly string[],
  { firstEvent, events, fanOut, as, uuid }: Omit<Fill, 'accounts'> & { uuid: (tail: string) => string },
): Promise<void> {
  const numbers = `generate_series(${firstEvent}, ${firstEvent + events - 1}) n`
  // the number of the delivery within the account, from 0
  const nth = `(n::bigint * ${fanOut} + k)`
  const deliveries = `${numbers}, generate_series(0, ${fanOut - 1}) k`
  const endpoint = `($2::uuid[])[${nth} % ${endpointIds.length} + 1]`
  const sequence = `(${nth} / ${endpointIds.length} + 1)`
  const values = [accountId, `{${endpointIds.join(',')}}`]
  const done = as === 'finished'
  await db.query(
    `insert into event (account_id, id, type, search_keys, body)
     select $1, ${uuid('n')}, 'email.delivered', array[n, n + 1000000000]::bigint[],
       convert_to('{"type":"email.delivered","data":{"email_id":"em_' || n || '"}}', 'utf8')
     from ${numbers}`,
    [accountId],
  )
  await db.query(
    `insert into delivery (account_id, id, endpoint_id, event_id, type, sequence, state, attempt_count, claim,
       last_attempt_at, delivered_at)
     select $1, ${uuid(nth)}, ${endpoint}, ${uuid('n')}, 'email.delivered', ${sequence},
       ${done ? `'delivered', 1, 1, now(), now()` : `'pending', 0, 0, null, null`}
     from ${deliveries}`,
    values,
  )
  if (done) {
    await db.query(
      `insert into attempt (account_id, delivery_id, id, number, trigger, duration_ms, status_code)
       select $1, ${uuid(nth)}, ${uuid(nth)}, 1, 'schedule', 5, 204 from ${deliveries}`,
      [accountId],
    )
  } else {
    const due = `now() - interval '1 hour' + ${sequence} * interval '1 millisecond'`
    await db.query(
      `insert into queue (account_id, delivery_id, endpoint_id, event_id, due_at, sequence)
       select $1, ${uuid(nth)}, ${endpoint}, ${uuid('n')},
         ${as === 'all due' ? due : `case when ${sequence} % 2 = 0 then ${due} else now() + interval '1 day' end`},
         ${sequence}
       from ${deliveries}`,
      values,
    )
  }
  await db.query(
    `update endpoint set last_sequence = greatest(last_sequence, $2) where account_id = $1 and id = any($3::uuid[])`,
    [accountId, Math.ceil(((firstEvent + events) * fanOut) / endpointIds.length), values[1]],
  )
}

/** Brings statistics and visibility to the state after autovacuum. */
export async function analyse(db: Database): Promise<void> {
  for (const table of ['event', 'delivery', 'attempt', 'queue', 'endpoint'])
    await db.query(`vacuum analyze ${table}`)
}
