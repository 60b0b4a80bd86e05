import { createHmac } from 'node:crypto'
import type { Ctx } from '../context.ts'
import { foldedAddress } from '../domain/folded-address.ts'
import { currentMailKey, findMailKey, type MailKey, type MailKeyContext } from '../mail/mail-key.ts'

/** Turns an address into what stands for it in the database, whatever its case. */
export type AddressMac = (address: string) => Buffer

/**
 * How the account's addresses are looked up, or null while it has no key for that, and so no suppression either. By a
 * secret key, because on a plain digest whoever reads the database could try addresses out.
 */
export async function findAddressMac(
  ctx: Pick<Ctx, 'db' | 'seal'>,
  accountId: string,
): Promise<AddressMac | null> {
  const key = await findMailKey(ctx, accountId, 'address')
  return key === null ? null : macWith(key)
}

/** The same, and the key is made when it is first needed. */
export async function addressMac(ctx: MailKeyContext, accountId: string): Promise<AddressMac> {
  return macWith(await currentMailKey(ctx, accountId, 'address'))
}

function macWith({ secret }: MailKey): AddressMac {
  return address => createHmac('sha256', secret).update(foldedAddress(address)).digest()
}
