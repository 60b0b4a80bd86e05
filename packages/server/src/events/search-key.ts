import { hash } from 'node:crypto'
import { foldedAddress } from '../domain/folded-address.ts'

/**
 * The fields by which events can be searched, besides id and type. Only erasures use `final_recipient`. Deliveries have no
 * `reason`. Filters of endpoints use `tag` and `sending_domain`, as keys of their own.
 */
export type SearchField = 'email_id' | 'recipient' | 'final_recipient' | 'reason' | 'tag' | 'sending_domain'

/**
 * A 64-bit digest for searching events by a field: the first 8 bytes of a SHA-256 as a two's-complement integer, which
 * fits a PostgreSQL `bigint`. It includes the account, so that the same address has different keys in two accounts. All
 * spellings of an address have the same key. Two values may have the same digest, so an erasure also compares the values.
 * @example
 * searchKey('01890a5d-ac96-774b-bcce-b302099a8057', 'recipient', 'Ada@Example.ORG')
 */
export function searchKey(accountId: string, field: SearchField, value: string): bigint {
  const text = field === 'recipient' || field === 'final_recipient' ? foldedAddress(value) : value
  const digest = hash('sha256', `${accountId}\n${field}\n${text}`, 'binary')
  for (let i = 0; i < 8; i++) firstBytes.setUint8(i, digest.charCodeAt(i))
  return firstBytes.getBigInt64(0)
}

/** Shared by all calls, because a new buffer for each key would cost more than its hash. */
const firstBytes = new DataView(new ArrayBuffer(8))
