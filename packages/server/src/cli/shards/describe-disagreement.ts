import type { Disagreement } from '../../domain/compare-directory.ts'
import { typeId } from '../../domain/type-id.ts'

/** A disagreement in words. */
export function describeDisagreement(found: Disagreement): string {
  const account = typeId('acct', found.account_id)
  const on = found.on.map(number => `shard ${number}`).join(' and ')
  switch (found.problem) {
    case 'on_two_shards':
      return `${account} is on ${on}`
    case 'same_code':
      return `${account} on ${on} has the same code as ${typeId('acct', found.other_account_id)}`
    case 'not_placed':
      return `${account} is on ${on}, but the directory does not have it`
    case 'placed_elsewhere':
      return `${account} is on ${on}, but the directory places it on shard ${found.placed_on}`
    case 'no_account':
      return `${account} is on no shard, but the directory places it on shard ${found.placed_on}`
  }
}

/** The same for programs. */
export function disagreementJson({ account_id, ...found }: Disagreement): object {
  return {
    account_id: typeId('acct', account_id),
    ...found,
    ...('other_account_id' in found && { other_account_id: typeId('acct', found.other_account_id) }),
  }
}
