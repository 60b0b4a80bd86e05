import { createHmac } from 'node:crypto'
import type { Ctx } from '../context.ts'
import { foldedAddress } from '../domain/folded-address.ts'
import { newId } from '../new-id.ts'

/** What the table of keys and the sealed key in it take. */
export type KeyContext = Pick<Ctx, 'db' | 'seal' | 'clock' | 'random'>

/** Turns an address into what stands for it in the database, whatever its case. */
export type AddressMac = (address: string) => Buffer

/**
 * The account's key for looking addresses up, or null while it has none, and so no suppression either. It is a row of
 * its own under the master key, so that a suppression outlives the master key's rotation and, without it, no address
 * can be tried out on what the database holds.
 */
export async function findAddressMac(
  ctx: Pick<KeyContext, 'db' | 'seal'>,
  accountId: string,
): Promise<AddressMac | null> {
  const [row] = await ctx.db.query<{ id: string; secret_sealed: Uint8Array }>(
    `select id, secret_sealed from mail_key where account_id = $1 and purpose = 'address' and retired_at is null`,
    [accountId],
  )
  if (row === undefined) return null
  const key = ctx.seal.open('mail_key', { accountId, keyId: row.id }, row.secret_sealed)
  return address => createHmac('sha256', key).update(foldedAddress(address)).digest()
}

/** The same, and the key is made when it is first needed. */
export async function addressMac(ctx: KeyContext, accountId: string): Promise<AddressMac> {
  for (;;) {
    const found = await findAddressMac(ctx, accountId)
    if (found !== null) return found
    const keyId = newId(ctx)
    await ctx.db.query(
      // nothing happens when another process was faster, or when the number is taken: the next round finds out
      `insert into mail_key (account_id, id, purpose, number, secret_sealed) values ($1, $2, 'address', $3, $4)
       on conflict do nothing`,
      [
        accountId,
        keyId,
        Buffer.from(ctx.random.bytes(4)).readUInt32BE(),
        ctx.seal.seal('mail_key', { accountId, keyId }, ctx.random.bytes(32)),
      ],
    )
  }
}
