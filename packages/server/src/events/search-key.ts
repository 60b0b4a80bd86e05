import { hash } from 'node:crypto'
import { foldedAddress } from '../domain/folded-address.ts'

/** What events can be looked up by, besides their id and type. By `final_recipient` only an erasure looks. */
export type SearchField = 'email_id' | 'recipient' | 'final_recipient'

/**
 * The 64-bit digest under which an event is found by one of its values: the first 8 bytes of a SHA-256 as a
 * two's-complement integer, which is what a PostgreSQL `bigint` holds. The account is part of it, so that equal
 * addresses of two accounts share nothing. An address is found in every spelling that reaches the same mailbox. Two
 * values can have the same digest, so an erasure compares the value as well.
 * @example
 * searchKey('01890a5d-ac96-774b-bcce-b302099a8057', 'recipient', 'Ada@Example.ORG')
 */
export function searchKey(accountId: string, field: SearchField, value: string): bigint {
  const text = field === 'email_id' ? value : foldedAddress(value)
  const digest = hash('sha256', `${accountId}\n${field}\n${text}`, 'binary')
  for (let i = 0; i < 8; i++) firstBytes.setUint8(i, digest.charCodeAt(i))
  return firstBytes.getBigInt64(0)
}

/** Where the bytes of one key gather: a buffer for each would cost more than its hash. */
const firstBytes = new DataView(new ArrayBuffer(8))
