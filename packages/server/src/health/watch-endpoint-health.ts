import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { type HealthStep, nextHealthStep } from '../domain/endpoint-health.ts'
import { leastUuid } from '../db/id-bounds.ts'
import { factsOf, healthColumns, type HealthRow } from './row.ts'
import { takeHealthStep } from './take-health-step.ts'

/** How many rows one statement reads, so that other queries do not wait long if thousands of endpoints fail. */
const pageMax = 100

/** A step that was taken, for the log. */
export interface HealthEvent {
  step: HealthStep
  accountId: string
  endpointId: string
  failuresInRow: number
  failingSince: Date | null
}

/**
 * Warns of failing endpoints, disables them, and reports their recovery. Settling stores the facts. This takes each step
 * in its own transaction, which locks the endpoint's row and checks again, so that only one process takes the step.
 * @param nowMs from the maintenance gate; null while it is stopped, because then elapsed time cannot be trusted
 */
export async function watchEndpointHealth(
  ctx: Ctx,
  nowMs: number | null,
  report: (event: HealthEvent) => void,
): Promise<{ steps: number }> {
  let steps = 0
  for await (const { account_id: accountId, id: endpointId } of findDueSteps(ctx, nowMs)) {
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
    // attempts in flight may also be answered with 410, and the notice has the final count
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

/** The endpoints for which a step is due. */
async function* findDueSteps(ctx: Ctx, nowMs: number | null): AsyncGenerator<HealthRow> {
  let after: Pick<HealthRow, 'account_id' | 'id'> | undefined = { account_id: leastUuid, id: leastUuid }
  while (after !== undefined) {
    const rows: HealthRow[] = await readCandidates(ctx, after)
    for (const row of rows) {
      if (nextHealthStep(factsOf(row), ctx.settings.disableAfterMs, nowMs) !== null) yield row
    }
    after = rows.length < pageMax ? undefined : rows.at(-1)
  }
}

/**
 * Reads the next rows by the partial index endpoint_unwell. It leaves out endpoints that have not failed for long and have
 * no exhausted delivery, because no step is due for them.
 */
async function readCandidates(ctx: Ctx, after: Pick<HealthRow, 'account_id' | 'id'>): Promise<HealthRow[]> {
  return await ctx.db.query<HealthRow>(
    `select ${healthColumns} from endpoint e
     where e.kind = 'events' and e.deleted_at is null
       and (e.failing_since is not null or e.warned_exhausted_at is not null or e.warned_half_time_at is not null)
       and (e.status = 'enabled' or (e.disabled_reason = 'gone' and e.disabled_told_at is null))
       and (e.failing_since is null or e.failing_since <= now() - $3::float8 * interval '1 millisecond'
         or e.exhausted_since is not null or e.warned_exhausted_at is not null
         or e.warned_half_time_at is not null or e.status = 'disabled')
       -- an account that moves to another shard is changed there
       and exists (select from account a where a.id = e.account_id)
       and (e.account_id, e.id) > ($1, $2)
     order by e.account_id, e.id limit ${pageMax}`,
    [after.account_id, after.id, ctx.settings.disableAfterMs / 2],
  )
}

/**
 * Locks the rows of the endpoint and of the notice webhook without waiting, because accept and settle lock endpoints in
 * key order, and waiting here could deadlock. The next round tries again.
 */
async function lockRow(tx: Queryable, accountId: string, endpointId: string): Promise<HealthRow | undefined> {
  const [row] = await tx.query<HealthRow>(
    `with locked as materialized (
       select e.kind, ${healthColumns} from endpoint e
       where e.account_id = $1 and (e.id = $2 or e.kind = 'notices') and e.deleted_at is null
         -- it may have been taken away since the candidates were read
         and exists (select from account a where a.id = e.account_id)
       for no key update of e skip locked
     )
     select * from locked
     where id = $2 and kind = 'events' and (select count(*) from locked) = (
       select count(*) from endpoint e
       where e.account_id = $1 and (e.id = $2 or e.kind = 'notices') and e.deleted_at is null)`,
    [accountId, endpointId],
  )
  return row
}
