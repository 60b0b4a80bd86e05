import type { Replay, ReplayCreate, ReplayDryRun } from '@posthorn/contract'
import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { drainSeconds } from '../domain/drain-seconds.ts'
import { firstUuidV7At, uuidV7Ms } from '../domain/uuid-v7.ts'
import { AppError } from '../errors.ts'
import { newId } from '../new-id.ts'
import { getWebhook } from '../webhooks/get-webhook.ts'
import { countReplay, type ReplayScope } from './count-replay.ts'
import { readReplay } from './row.ts'
import { uncountReplayed } from './uncount-replayed.ts'

/** Starts to send deliveries of an endpoint again, or only counts them. */
export async function createReplay(
  ctx: Ctx,
  accountId: string,
  webhookId: string,
  input: ReplayCreate,
): Promise<Replay | ReplayDryRun> {
  const webhook = await getWebhook(ctx, accountId, webhookId)
  if (webhook.status === 'disabled') {
    throw new AppError('endpoint_disabled', 'The endpoint is disabled. Enable it first, then replay.')
  }
  const nowMs = ctx.clock.nowMs()
  const untilMs = input.until === undefined ? nowMs : Math.min(nowMs, Date.parse(input.until))
  const scope: ReplayScope = {
    accountId,
    endpointId: webhookId,
    fromId: firstUuidV7At(Date.parse(input.since)),
    toId: firstUuidV7At(untilMs),
    states: input.states ?? ['failed', 'exhausted'],
    types: input.types ?? webhook.events,
  }
  const { count, firstId, lastId } = await countReplay(ctx.db, scope)
  if (input.dry_run === true) {
    const estimated_seconds = drainSeconds(count, ctx.settings.drainPerSecond, webhook.rate_limit_per_second)
    return { dry_run: true, count, first: timeOf(firstId), last: timeOf(lastId), estimated_seconds }
  }
  const replayId = newId(ctx)
  return await ctx.db.transaction(async tx => {
    const within = { ...ctx, db: tx }
    await uncountReplayed(tx, scope)
    await tx.query(
      // as if the last batch was a second ago, so that the first one starts at once
      `insert into replay (account_id, id, endpoint_id, from_id, to_id, states, types, total, paced_at)
       values ($1, $2, $3, $4, $5, $6, $7::event_type[], $8, now() - interval '1 second')`,
      [accountId, replayId, webhookId, scope.fromId, scope.toId, scope.states, scope.types, count],
    )
    const replay = await readReplay(within, accountId, replayId)
    const change = { action: 'replay.created', target: replay.id, before: null, after: replay } as const
    await recordChange(within, { accountId, ...change })
    return replay
  })
}

function timeOf(uuid: string | null): string | null {
  return uuid === null ? null : new Date(uuidV7Ms(uuid)).toISOString()
}
