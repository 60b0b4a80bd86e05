import type { FrontRule } from '@posthorn/contract'
import { accountCode, codeOfCredential } from '../domain/account-code.ts'
import { type IdPrefix, parseTypeId } from '../domain/type-id.ts'
import type { FrontCaller } from './front-caller.ts'

/** Where a request goes: to the shard of an account, to shard 0, or to all shards. */
export type Destination = { readonly account: number } | 'shard_0' | 'all_shards'

/** The parts of a request that decide where it goes. */
export interface Routed {
  readonly caller: FrontCaller
  /** The operation ignores credentials. */
  readonly isPublic: boolean
  /** The `id` in the path, and the prefix that it must have. */
  readonly id: { readonly prefix: IdPrefix; readonly text: string } | null
  readonly query: unknown
  /** The JSON of the body; undefined if it is none. */
  readonly body: unknown
}

/** The rules that this decides. A handler of its own serves each of the others. */
export type DecidedRule = Exclude<FrontRule, 'front' | 'new_account' | 'report' | 'shard_in_query'>

export function isDecided<R extends { readonly front: FrontRule }>(
  route: R,
): route is R & { readonly front: DecidedRule } {
  return !undecided.includes(route.front)
}

const undecided: readonly FrontRule[] = ['front', 'new_account', 'report', 'shard_in_query']

/**
 * Decides where a request goes. What has no account goes to shard 0, which answers as if there were no front: it refuses an
 * unknown credential, a missing field or an invalid id.
 *
 * @example
 * routeRequest('account_in_path', { caller: { kind: 'operator' }, id: { prefix: 'acct', text: 'acct_…' }, … })
 * // { account: 0x099a8057 }
 */
export function routeRequest(rule: DecidedRule, request: Routed): Destination {
  const { caller, isPublic, id, query, body } = request
  const isOperator = caller.kind === 'operator' || caller.kind === 'named_operator'
  // callers of an account use only its shard, which refuses what belongs to others
  const own = !isPublic && caller.kind === 'account' ? { account: caller.code } : null
  switch (rule) {
    case 'caller':
      return own ?? 'shard_0'
    case 'account_in_path':
    case 'code_in_id':
      if (own !== null) return own
      return isPublic || isOperator ? accountOfId(id) : 'shard_0'
    case 'account_in_query':
    case 'account_in_body': {
      if (own !== null || !isOperator) return own ?? 'shard_0'
      const named = fieldOf(rule === 'account_in_query' ? query : body, 'account_id')
      if (named === undefined && rule === 'account_in_query') return 'all_shards'
      return accountOfId({ prefix: 'acct', text: typeof named === 'string' ? named : '' })
    }
    case 'credential_in_body': {
      const credential = fieldOf(body, 'credential')
      const code = typeof credential === 'string' ? codeOfCredential(credential.trim()) : null
      return code === null ? 'shard_0' : { account: code }
    }
    case 'all_shards':
      return isOperator ? 'all_shards' : (own ?? 'shard_0')
  }
}

/** Ids of accounts, and ids that name their account, end with its code. */
function accountOfId(id: Routed['id']): Destination {
  const uuid = id === null ? null : parseTypeId(id.prefix, id.text)
  return uuid === null ? 'shard_0' : { account: accountCode(uuid) }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
