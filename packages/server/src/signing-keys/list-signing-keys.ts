import type { Page, SigningKey } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { idCursor, type PageInput, toPage } from '../page.ts'
import { getWebhook } from '../webhooks/get-webhook.ts'
import { readRecentProof } from './read-recent-proof.ts'
import { namedSigningKeys, type SigningKeyRow, toSigningKey } from './row.ts'

/** The keys of an endpoint, including retired ones, newest first. */
export async function listSigningKeys(
  ctx: Ctx,
  accountId: string,
  webhookId: string,
  input: PageInput,
): Promise<Page<SigningKey>> {
  const before = idCursor(input.cursor)
  await getWebhook(ctx, accountId, webhookId)
  const rows = await ctx.db.query<SigningKeyRow>(
    `select * from ${namedSigningKeys} k where $3::uuid is null or k.id < $3 order by k.id desc limit $4`,
    [accountId, webhookId, before, input.limit + 1],
  )
  const recent = await readRecentProof(ctx.history, accountId, webhookId)
  return toPage(
    rows,
    input.limit,
    row => row.id,
    row => toSigningKey(row, recent(row.id)),
  )
}
