import type { Erasure } from '@posthorn/contract'
import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { accountCode, withCode } from '../domain/account-code.ts'
import { normalEmailAddress } from '../domain/email-address.ts'
import { newId } from '../new-id.ts'
import { addressMac } from '../suppressions/address-mac.ts'
import { getErasure } from './get-erasure.ts'

/** Starts the erasure of an address from all data of an account. */
export async function createErasure(ctx: Ctx, accountId: string, recipient: string): Promise<Erasure> {
  return await ctx.db.transaction(async tx => {
    const within = { ...ctx, db: tx }
    const id = withCode(newId(ctx), accountCode(accountId))
    const mac = await addressMac(within, accountId)
    await tx.query('insert into erasure (account_id, id, recipient, address_mac) values ($1, $2, $3, $4)', [
      accountId,
      id,
      normalEmailAddress(recipient),
      mac(recipient),
    ])
    // the receipt does not contain the address, because the audit log keeps it forever
    const erasure = await getErasure(within, accountId, id)
    const change = { action: 'erasure.created', target: erasure.id, before: null, after: erasure } as const
    await recordChange(within, { accountId, ...change })
    return erasure
  })
}
