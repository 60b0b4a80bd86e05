import { hash } from 'node:crypto'

/**
 * The `Idempotency-Key` for one part of a report. The same report has the same keys. If an account has moved since, the part
 * has other accounts and so another key: the shard must not refuse it as a different request.
 *
 * @param key of the whole report
 * @param accountIds of the items in the part, in any order
 */
export function partKey(key: string, accountIds: Iterable<string>): string {
  const accounts = [...new Set(accountIds)].sort().join(' ')
  return `part-${hash('sha256', `${accounts}\n${key}`, 'hex')}`
}
