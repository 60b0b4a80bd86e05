import type { WebhookHealth } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { disablesAtMs, type HealthFacts } from '../domain/endpoint-health.ts'
import { webhookNotFound } from '../webhooks/webhook-not-found.ts'
import { countWaiting } from './count-waiting.ts'
import { healthSentence } from './health-sentence.ts'
import { factsOf, healthColumns, type HealthRow } from './row.ts'

/** How an endpoint fares, worked out from the facts at the moment of asking. */
export async function getWebhookHealth(
  ctx: Ctx,
  accountId: string,
  webhookId: string,
): Promise<WebhookHealth> {
  const [row] = await ctx.db.query<HealthRow>(
    `select ${healthColumns} from endpoint e
     where e.account_id = $1 and e.id = $2 and e.kind = 'events' and e.deleted_at is null`,
    [accountId, webhookId],
  )
  if (row === undefined) throw webhookNotFound()
  const facts = factsOf(row)
  const { waiting, oldestMs } = await countWaiting(ctx.db, accountId, webhookId)
  return {
    status: row.status,
    disabled_reason: row.disabled_reason,
    failures_in_row: row.failures_in_row,
    failing_since: row.failing_since?.toISOString() ?? null,
    disables_at: isoOrNull(disablesAtMs(facts, ctx.disableAfterMs)),
    waiting,
    expired: row.expired_deliveries,
    warnings: [...stateWarnings(ctx, row, facts), ...expiryWarnings(ctx, row, oldestMs)],
  }
}

type Warning = WebhookHealth['warnings'][number]

function stateWarnings(ctx: Ctx, row: HealthRow, facts: HealthFacts): Warning[] {
  const warnings: Warning[] = []
  const add = (code: Warning['code'], sinceMs: number): void => {
    warnings.push({ code, message: healthSentence[code], since: new Date(sinceMs).toISOString() })
  }
  if (facts.disabledReason === 'gone') add('disabled_gone', row.updated_at.getTime())
  if (facts.disabledReason === 'failing') add('disabled_failing', row.updated_at.getTime())
  if (facts.exhaustedSinceMs !== null) add('delivery_exhausted', facts.exhaustedSinceMs)
  const { failingSinceMs } = facts
  const halfTimeMs = failingSinceMs === null ? null : failingSinceMs + ctx.disableAfterMs / 2
  if (facts.status === 'enabled' && halfTimeMs !== null && row.now.getTime() >= halfTimeMs) {
    add('failing_half_time', halfTimeMs)
  }
  return warnings
}

const dayMs = 86_400_000
const expiryWarningMs = 3 * dayMs

/** Retention drops whole days: what waits goes when its day does. */
function expiryWarnings(ctx: Ctx, row: HealthRow, oldestMs: number | null): Warning[] {
  if (oldestMs === null) return []
  const droppedAtMs = oldestMs + ctx.retentionDays * dayMs
  const sinceMs = droppedAtMs - expiryWarningMs
  if (row.now.getTime() < sinceMs) return []
  const since = new Date(sinceMs).toISOString()
  return [{ code: 'waiting_expires', message: healthSentence.waiting_expires, since }]
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
