import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { disablesAtMs, type HealthStep } from '../domain/endpoint-health.ts'
import { typeId } from '../domain/type-id.ts'
import { storeNotice } from '../notices/store-notice.ts'
import { getWebhook } from '../webhooks/get-webhook.ts'
import { countWaiting } from './count-waiting.ts'
import { disabledGone, healthSentence } from './health-sentence.ts'
import { factsOf, type HealthRow } from './row.ts'

/** Takes one step in the transaction that locks the endpoint's row: changes the state, and writes notice and audit entry. */
export async function takeHealthStep(ctx: Ctx, row: HealthRow, step: HealthStep): Promise<void> {
  const { account_id: accountId } = row
  switch (step) {
    case 'recovered':
      await mark(ctx, row, 'warned_exhausted_at = null, warned_half_time_at = null')
      await storeNotice(ctx, accountId, 'webhook.recovered', {
        ...subject(row),
        message: healthSentence.recovered,
      })
      return
    case 'warn_exhausted':
      // not before what it reports, which may have been written while the database's clock was ahead
      await mark(
        ctx,
        row,
        'warned_exhausted_at = greatest(clock_timestamp(), exhausted_since, failing_since)',
      )
      await storeNotice(ctx, accountId, 'webhook.warning', warning(ctx, row, 'delivery_exhausted'))
      return
    case 'warn_half_time':
      await mark(ctx, row, 'warned_half_time_at = clock_timestamp()')
      await storeNotice(ctx, accountId, 'webhook.warning', warning(ctx, row, 'failing_half_time'))
      return
    case 'disable':
      await disable(ctx, row)
      await tellDisabled(ctx, row, 'failing')
      return
    case 'tell_gone':
      await mark(ctx, row, 'disabled_told_at = clock_timestamp()')
      await recordDisabled(ctx, row, 'enabled')
      await tellDisabled(ctx, row, 'gone')
  }
}

/** The new version tells every process to read the endpoint again. */
async function disable(ctx: Ctx, row: HealthRow): Promise<void> {
  await mark(
    ctx,
    row,
    `status = 'disabled', disabled_reason = 'failing', version = version + 1, updated_at = now(),
     disabled_told_at = clock_timestamp(), warned_exhausted_at = null, warned_half_time_at = null`,
  )
  await recordDisabled(ctx, row, row.status)
}

/** @param changes constants of this file */
async function mark(ctx: Ctx, { account_id, id }: HealthRow, changes: string): Promise<void> {
  await ctx.db.query(`update endpoint set ${changes} where account_id = $1 and id = $2`, [account_id, id])
}

async function recordDisabled(ctx: Ctx, row: HealthRow, before: HealthRow['status']): Promise<void> {
  const after = await getWebhook(ctx, row.account_id, row.id)
  await recordChange(ctx, {
    accountId: row.account_id,
    action: 'webhook.disabled',
    target: after.id,
    before: { ...after, status: before, disabled_reason: null, updated_at: row.updated_at.toISOString() },
    after,
  })
}

async function tellDisabled(ctx: Ctx, row: HealthRow, reason: 'failing' | 'gone'): Promise<void> {
  const { waiting } = await countWaiting(ctx.db, row.id)
  const message = reason === 'gone' ? disabledGone(row.gone_deliveries) : healthSentence.disabled_failing
  await storeNotice(ctx, row.account_id, 'webhook.disabled', { ...subject(row), message, reason, waiting })
}

function warning(ctx: Ctx, row: HealthRow, code: 'delivery_exhausted' | 'failing_half_time') {
  const atMs = disablesAtMs(factsOf(row), ctx.settings.disableAfterMs)
  const disables_at = atMs === null ? null : new Date(atMs).toISOString()
  return { ...subject(row), code, message: healthSentence[code], disables_at }
}

function subject(row: HealthRow) {
  return {
    webhook_id: typeId('wh', row.id),
    description: row.description,
    url: row.url,
    failures_in_row: row.failures_in_row,
    failing_since: row.failing_since?.toISOString() ?? null,
  }
}
