import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { type HealthStep, nextHealthStep } from '../domain/endpoint-health.ts'
import { leastUuid } from '../domain/uuid-bounds.ts'
import { factsOf, healthColumns, type HealthRow } from './row.ts'
import { takeHealthStep } from './take-health-step.ts'

/** So many rows are read at once: with thousands of endpoints that fail, what arrives meanwhile would wait for all of them. */
const unwellAtOnce = 100

/** What was done about an endpoint, for the log. */
export interface HealthEvent {
  step: HealthStep
  accountId: string
  endpointId: string
  failuresInRow: number
  failingSince: Date | null
}

/**
 * The one place that warns of endpoints, disables those that only fail, and says that they have recovered. Settling
 * writes the facts; this draws the conclusions, each in a transaction of its own that holds the endpoint's row and
 * looks again: of two processes one does it, and the account is told once.
 * @param nowMs from the maintenance gate; null while it is stopped, when nothing is concluded from time that passed
 */
export async function watchEndpointHealth(
  ctx: Ctx,
  nowMs: number | null,
  report: (event: HealthEvent) => void,
): Promise<{ steps: number }> {
  let steps = 0
  for await (const { account_id: accountId, id: endpointId } of findUnwell(ctx, nowMs)) {
    for (;;) {
      const done = await takeNextStep(ctx, nowMs, accountId, endpointId)
      if (done === null) break
      steps++
      report(done)
    }
  }
  if (steps > 0) ctx.outside.wakeDispatchers()
  return { steps }
}

async function takeNextStep(
  ctx: Ctx,
  nowMs: number | null,
  accountId: string,
  endpointId: string,
): Promise<HealthEvent | null> {
  return await ctx.db.transaction(async tx => {
    const row = await lockRow(tx, accountId, endpointId)
    if (row === undefined) return null
    const step = nextHealthStep(factsOf(row), ctx.settings.disableAfterMs, nowMs)
    if (step === null) return null
    // attempts under way may be answered 410 as well, and the notice says how many were
    if (step === 'tell_gone' && (await isHeld(tx, endpointId))) return null
    await takeHealthStep({ ...ctx, db: tx }, row, step)
    return {
      step,
      accountId,
      endpointId,
      failuresInRow: row.failures_in_row,
      failingSince: row.failing_since,
    }
  })
}

async function isHeld(tx: Queryable, endpointId: string): Promise<boolean> {
  const rows = await tx.query(
    `select 1 as one from queue where process = any (array(select number from process)) and endpoint_id = $1 limit 1`,
    [endpointId],
  )
  return rows.length > 0
}

/** Those about which something is to be done. */
async function* findUnwell(ctx: Ctx, nowMs: number | null): AsyncGenerator<HealthRow> {
  let after: Pick<HealthRow, 'account_id' | 'id'> | undefined = { account_id: leastUuid, id: leastUuid }
  while (after !== undefined) {
    const rows: HealthRow[] = await readUnwell(ctx, after)
    for (const row of rows) {
      if (nextHealthStep(factsOf(row), ctx.settings.disableAfterMs, nowMs) !== null) yield row
    }
    after = rows.length < unwellAtOnce ? undefined : rows.at(-1)
  }
}

/**
 * Reads what endpoint_unwell holds behind a key, a few rows of many. Those that fail for less than half of the time and
 * have given nothing up, most of them beside many that fail, are left out: there is nothing to be done about them.
 */
async function readUnwell(ctx: Ctx, after: Pick<HealthRow, 'account_id' | 'id'>): Promise<HealthRow[]> {
  return await ctx.db.query<HealthRow>(
    `select ${healthColumns} from endpoint e
     where e.kind = 'events' and e.deleted_at is null
       and (e.failing_since is not null or e.warned_exhausted_at is not null or e.warned_half_time_at is not null)
       and (e.status = 'enabled' or (e.disabled_reason = 'gone' and e.disabled_told_at is null))
       and (e.failing_since is null or e.failing_since <= now() - $3::float8 * interval '1 millisecond'
         or e.exhausted_since is not null or e.warned_exhausted_at is not null
         or e.warned_half_time_at is not null or e.status = 'disabled')
       and (e.account_id, e.id) > ($1, $2)
     order by e.account_id, e.id limit ${unwellAtOnce}`,
    [after.account_id, after.id, ctx.settings.disableAfterMs / 2],
  )
}

/**
 * Takes the endpoint's row, and that of the notice webhook, without waiting for either: accept and settle lock several
 * endpoints in key order, and whoever waits here could wait for one that waits for it. The next round sees it again.
 */
async function lockRow(tx: Queryable, accountId: string, endpointId: string): Promise<HealthRow | undefined> {
  const [row] = await tx.query<HealthRow>(
    `with locked as materialized (
       select e.kind, ${healthColumns} from endpoint e
       where e.account_id = $1 and (e.id = $2 or e.kind = 'notices') and e.deleted_at is null
       for no key update skip locked
     )
     select * from locked
     where id = $2 and kind = 'events' and (select count(*) from locked) = (
       select count(*) from endpoint e
       where e.account_id = $1 and (e.id = $2 or e.kind = 'notices') and e.deleted_at is null)`,
    [accountId, endpointId],
  )
  return row
}
