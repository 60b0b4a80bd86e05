import type { Verified } from '@posthorn/receiver'
import type { LibraryVerdict } from './library-verdict.ts'
import type { Rule } from './rule.ts'

const promise = 'HMAC-SHA256 over “t.body” matches a signature'

/** Rule 4, as the library judges it without the time; null: not available yet. */
export function matchRule(verdict: LibraryVerdict | null, secretCount: number): Rule {
  if (verdict === null) return { number: 4, state: 'unknown', words: promise }
  return verdict.ok
    ? { number: 4, state: 'good', words: `${promise}: ${matchWords(verdict.verified, secretCount)}` }
    : { number: 4, state: 'bad', words: promise }
}

/** `v1 by secret 2, v1s by secret 1`; several secrets are numbered. */
function matchWords({ matches }: Pick<Verified, 'matches'>, secretCount: number): string {
  return matches
    .map(({ partName, secretIndex }) =>
      secretCount === 1 ? partName : `${partName} by secret ${secretIndex + 1}`,
    )
    .join(', ')
}
