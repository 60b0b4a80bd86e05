import type { Page, Replay } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { idCursor, type PageInput, toPage } from '../page.ts'
import { type ReplayRow, replayColumns, toReplay, tracedReplays } from './row.ts'

/** The replays of the account, or of one of its endpoints, including deleted endpoints, newest first. */
export async function listAllReplays(
  ctx: Ctx,
  accountId: string,
  { webhookId, ...input }: PageInput & { webhookId: string | null },
): Promise<Page<Replay>> {
  const rows = await ctx.db.query<ReplayRow>(
    // the primary key or replay_of_endpoint, read backwards
    `select ${replayColumns} from ${tracedReplays}
     where r.account_id = $1 and ($2::uuid is null or r.id < $2)
       and ${webhookId === null ? '$3::uuid is null' : 'r.endpoint_id = $3'}
     order by r.id desc limit $4`,
    [accountId, idCursor(input.cursor), webhookId, input.limit + 1],
  )
  return toPage(rows, input.limit, row => row.id, toReplay(ctx))
}
