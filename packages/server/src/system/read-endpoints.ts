import type { SystemHealth } from '@posthorn/contract'
import type { Queryable } from '../db/database.ts'
import { endpointQueue } from '../deliveries/endpoint-queue.ts'
import { typeId } from '../domain/type-id.ts'

const worstMax = 10

/** The count of one endpoint's queue stops here. */
const waitingMax = 10_000

/** The number of disabled and failing endpoints, and the worst of them. */
export async function readEndpoints(
  db: Queryable,
): Promise<Pick<SystemHealth, 'disabled_endpoints' | 'failing_endpoints' | 'worst'>> {
  const [counts] = await db.query<{ disabled: number; failing: number }>(
    // uses the small partial indexes endpoint_disabled and endpoint_unwell
    `select (select count(*) from endpoint where ${isDisabled}) as disabled,
       (select count(*) from endpoint where ${isFailing} and status = 'enabled') as failing`,
  )
  return {
    disabled_endpoints: counts?.disabled ?? 0,
    failing_endpoints: counts?.failing ?? 0,
    worst: await readWorst(db),
  }
}

const isOwn = `kind = 'events' and deleted_at is null`
const isDisabled = `${isOwn} and status = 'disabled'`
const isFailing = `${isOwn} and failing_since is not null`

async function readWorst(db: Queryable): Promise<SystemHealth['worst']> {
  const rows = await db.query<WorstRow>(
    // without endpoints that their owner has disabled
    `select e.account_id, a.name, e.id, e.url, e.status, e.failing_since, e.last_error_code,
       (select count(*) from (select from ${endpointQueue('e.id')} q limit $2) q) as waiting
     from (
       select * from (
         select * from endpoint where ${isFailing}
         union
         select * from endpoint where ${isDisabled} and disabled_reason <> 'manual'
       ) unwell
       where disabled_reason is distinct from 'manual'
       order by failing_since nulls last, updated_at, id
       limit $1
     ) e join account a on a.id = e.account_id and a.deleted_at is null
     order by e.failing_since nulls last, e.updated_at, e.id`,
    [worstMax, waitingMax],
  )
  return rows.map(row => ({
    account_id: typeId('acct', row.account_id),
    account_name: row.name,
    webhook_id: typeId('wh', row.id),
    url_host: URL.parse(row.url)?.host ?? row.url,
    state: row.status === 'enabled' ? 'failing' : 'disabled',
    failing_since: row.failing_since?.toISOString() ?? null,
    waiting: row.waiting,
    last_error_code: row.last_error_code,
  }))
}

interface WorstRow {
  account_id: string
  name: string
  id: string
  url: string
  status: 'enabled' | 'disabled'
  failing_since: Date | null
  last_error_code: string | null
  waiting: number
}
