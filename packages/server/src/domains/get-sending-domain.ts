import type { SendingDomain } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { domainNotFound } from './domain-not-found.ts'
import { operatorHosts, type SendingDomainRow, sendingDomainColumns, toSendingDomain } from './row.ts'

/** One sending domain of the account. */
export async function getSendingDomain(
  ctx: Pick<Ctx, 'db' | 'outside'>,
  accountId: string,
  domainId: string,
): Promise<SendingDomain> {
  const [row] = await ctx.db.query<SendingDomainRow>(
    `select ${sendingDomainColumns} from sending_domain where account_id = $1 and id = $2`,
    [accountId, domainId],
  )
  if (row === undefined) throw domainNotFound()
  return toSendingDomain(row, operatorHosts(ctx.outside))
}
