import type { Page, Replay } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { idCursor, type PageInput, toPage } from '../page.ts'
import { getWebhook } from '../webhooks/get-webhook.ts'
import { type ReplayRow, replayColumns, toReplay, tracedReplays } from './row.ts'

/** The replays of an endpoint, newest first. */
export async function listReplays(
  ctx: Ctx,
  accountId: string,
  webhookId: string,
  input: PageInput,
): Promise<Page<Replay>> {
  const from = idCursor(input.cursor)
  await getWebhook(ctx, accountId, webhookId)
  const rows = await ctx.db.query<ReplayRow>(
    // replay_of_endpoint, read backwards
    `select ${replayColumns} from ${tracedReplays}
     where r.account_id = $1 and r.endpoint_id = $2 and ($3::uuid is null or r.id < $3)
     order by r.id desc limit $4`,
    [accountId, webhookId, from, input.limit + 1],
  )
  return toPage(rows, input.limit, row => row.id, toReplay(ctx))
}
