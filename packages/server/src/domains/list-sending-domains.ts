import type { Page, SendingDomain } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { idCursor, type PageInput, toPage } from '../page.ts'
import { operatorHosts, type SendingDomainRow, sendingDomainColumns, toSendingDomain } from './row.ts'

/** The sending domains of the account, newest first. */
export async function listSendingDomains(
  ctx: Ctx,
  accountId: string,
  { limit, cursor }: PageInput,
): Promise<Page<SendingDomain>> {
  const rows = await ctx.db.query<SendingDomainRow>(
    `select ${sendingDomainColumns} from sending_domain
     where account_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
    [accountId, idCursor(cursor), limit + 1],
  )
  return toPage(
    rows,
    limit,
    row => row.id,
    row => toSendingDomain(row, operatorHosts(ctx.outside)),
  )
}
