import type { SigningKey } from '@posthorn/contract'

/** The keys of an endpoint during rotation. */
export interface Rotation {
  readonly primary: SigningKey | null
  /** The staged replacements, newest first; at most two. */
  readonly staged: readonly SigningKey[]
}

export function rotationOf(keys: readonly SigningKey[]): Rotation {
  return {
    primary: keys.find(key => key.state === 'primary') ?? null,
    staged: keys
      .filter(key => key.state === 'staged')
      .toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at)),
  }
}

/** How many of the latest attempts the receiver verified with a key; only receivers with our library report this. */
export type Proof = 'none' | 'some' | 'all'

export function proofOf({ recent }: Pick<SigningKey, 'recent'>): Proof {
  if (recent === null || recent.verified === 0) return 'none'
  return recent.verified === recent.attempts ? 'all' : 'some'
}
