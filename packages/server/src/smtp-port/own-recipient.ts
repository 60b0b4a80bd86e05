import type { Ctx } from '../context.ts'
import { returnPathToken, unsubscribeToken } from '../domain/sources/return-path.ts'
import { readMailToken } from '../mail/read-mail-token.ts'

/** Whether the address is a return path or an unsubscribe address of this installation. */
export async function isOwnRecipient(
  ctx: Pick<Ctx, 'db' | 'seal'>,
  address: string,
  domain: string,
): Promise<boolean> {
  if (address.slice(address.lastIndexOf('@') + 1).toLowerCase() !== domain.toLowerCase()) return false
  const bounced = returnPathToken(address)
  if (bounced !== null) return (await readMailToken(ctx, bounced, 'return_path')) !== null
  const token = unsubscribeToken(address)
  return token !== null && (await readMailToken(ctx, token, 'unsubscribe')) !== null
}
