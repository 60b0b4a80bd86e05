import { createHmac } from 'node:crypto'
import type { Ctx } from '../context.ts'
import { foldedAddress } from '../domain/folded-address.ts'
import { currentMailKey, findMailKey, type MailKey, type MailKeyContext } from '../mail/mail-key.ts'

/** Computes the HMAC by which the database identifies an address, the same for all its spellings. */
export type AddressMac = (address: string) => Buffer

/**
 * The HMAC of an account's addresses; null if the account has no key and so no suppressions. It uses a secret key, because
 * with a plain hash, anyone who reads the database could test guesses of addresses.
 */
export async function findAddressMac(
  ctx: Pick<Ctx, 'db' | 'seal'>,
  accountId: string,
): Promise<AddressMac | null> {
  const key = await findMailKey(ctx, accountId, 'address')
  return key === null ? null : macWith(key)
}

/** The same, but creates the key if there is none. */
export async function addressMac(ctx: MailKeyContext, accountId: string): Promise<AddressMac> {
  return macWith(await currentMailKey(ctx, accountId, 'address'))
}

function macWith({ secret }: MailKey): AddressMac {
  return address => createHmac('sha256', secret).update(foldedAddress(address)).digest()
}
