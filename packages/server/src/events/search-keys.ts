import { type SearchField, searchKey } from './search-key.ts'

/** The search keys for an email, a recipient and a reason; null if the query has none of them. */
export function searchKeys(
  accountId: string,
  wanted: { email_id?: string | undefined; recipient?: string | undefined; reason?: string | undefined },
): bigint[] | null {
  const keys: bigint[] = []
  const add = (field: SearchField, value: string | undefined): void => {
    if (value !== undefined) keys.push(searchKey(accountId, field, value))
  }
  add('email_id', wanted.email_id)
  add('recipient', wanted.recipient)
  add('reason', wanted.reason)
  return keys.length === 0 ? null : keys
}
