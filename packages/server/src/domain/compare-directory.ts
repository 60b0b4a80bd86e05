import { accountCode } from './account-code.ts'

export interface PlacedAccount {
  readonly account_id: string
  readonly shard: number
  readonly moving: boolean
}

/** An account for which the directory and the shards disagree. */
export type Disagreement =
  | { readonly problem: 'on_two_shards'; readonly account_id: string; readonly on: readonly number[] }
  | {
      readonly problem: 'same_code'
      readonly account_id: string
      readonly on: readonly number[]
      readonly other_account_id: string
    }
  | { readonly problem: 'not_placed'; readonly account_id: string; readonly on: readonly number[] }
  | {
      readonly problem: 'placed_elsewhere'
      readonly account_id: string
      readonly on: readonly number[]
      readonly placed_on: number
    }
  | {
      readonly problem: 'no_account'
      readonly account_id: string
      readonly on: readonly []
      readonly placed_on: number
    }

/**
 * Compares the directory with the accounts that each shard owns. Nothing is said about an account that is moving, because it
 * may be on either shard or on none.
 */
export function compareDirectory(
  placements: readonly PlacedAccount[],
  accountsByShard: ReadonlyMap<number, readonly string[]>,
): Disagreement[] {
  const shardsOf = new Map<string, number[]>()
  for (const [shard, accounts] of accountsByShard) {
    for (const account of accounts) shardsOf.set(account, [...(shardsOf.get(account) ?? []), shard])
  }
  const placementOf = new Map(placements.map(placement => [placement.account_id, placement]))
  const withCode = new Map<number, string>()
  const found: Disagreement[] = []
  for (const [account_id, on] of shardsOf) {
    const placement = placementOf.get(account_id)
    if (placement?.moving === true) continue
    const code = accountCode(account_id)
    const other_account_id = withCode.get(code)
    withCode.set(code, account_id)
    if (on.length > 1) found.push({ problem: 'on_two_shards', account_id, on })
    else if (other_account_id !== undefined)
      found.push({ problem: 'same_code', account_id, on, other_account_id })
    else if (placement === undefined) found.push({ problem: 'not_placed', account_id, on })
    else if (!on.includes(placement.shard)) {
      found.push({ problem: 'placed_elsewhere', account_id, on, placed_on: placement.shard })
    }
  }
  for (const { account_id, shard, moving } of placements) {
    if (!moving && !shardsOf.has(account_id)) {
      found.push({ problem: 'no_account', account_id, on: [], placed_on: shard })
    }
  }
  return found
}

/** A change of the directory; null removes the placement. */
export interface Correction {
  readonly account_id: string
  readonly shard: number | null
}

/** How the directory must change so that it agrees with the shards; null for what a person must decide. */
export function correctionOf(disagreement: Disagreement): Correction | null {
  const { problem, account_id } = disagreement
  switch (problem) {
    case 'on_two_shards':
    case 'same_code':
      return null
    case 'not_placed':
    case 'placed_elsewhere':
      return { account_id, shard: disagreement.on[0] ?? null }
    case 'no_account':
      return { account_id, shard: null }
  }
}
