import type { SigningKey } from '@posthorn/contract'

/** Something that became of a key. */
export interface KeyChange {
  readonly kind: 'made' | 'promoted' | 'discarded'
  readonly at: string
  readonly key: SigningKey
  /** Of a promotion: the key that was the primary until then. */
  readonly replaced: SigningKey | null
}

/** What became of the keys of an endpoint, newest first. */
export function keyHistory(keys: readonly SigningKey[]): KeyChange[] {
  return keys.flatMap(key => changesOf(key, keys)).toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

function changesOf(key: SigningKey, keys: readonly SigningKey[]): KeyChange[] {
  const { promoted_at: promotedAt, retired_at: retiredAt } = key
  if (promotedAt === null) {
    return retiredAt === null ? [] : [{ kind: 'discarded', at: retiredAt, key, replaced: null }]
  }
  // a promotion and the retirement that it causes are one transaction and bear its time
  const replaced = keys.find(other => other !== key && other.retired_at === promotedAt) ?? null
  return [{ kind: replaced === null ? 'made' : 'promoted', at: promotedAt, key, replaced }]
}
