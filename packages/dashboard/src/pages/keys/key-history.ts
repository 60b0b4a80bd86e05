import type { SigningKey } from '@posthorn/contract'

/** An entry in the history of a key. */
export interface KeyChange {
  readonly kind: 'made' | 'promoted' | 'discarded'
  readonly at: string
  readonly key: SigningKey
  /** For a promotion: the previous primary key. */
  readonly replaced: SigningKey | null
}

/** The history of an endpoint's keys, newest first. */
export function keyHistory(keys: readonly SigningKey[]): KeyChange[] {
  return keys.flatMap(key => changesOf(key, keys)).toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

function changesOf(key: SigningKey, keys: readonly SigningKey[]): KeyChange[] {
  const { promoted_at: promotedAt, retired_at: retiredAt } = key
  if (promotedAt === null) {
    return retiredAt === null ? [] : [{ kind: 'discarded', at: retiredAt, key, replaced: null }]
  }
  // a promotion and the retirement that it causes have the same time, because they are one transaction
  const replaced = keys.find(other => other !== key && other.retired_at === promotedAt) ?? null
  return [{ kind: replaced === null ? 'made' : 'promoted', at: promotedAt, key, replaced }]
}
