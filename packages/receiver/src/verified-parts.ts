import type { Verified } from './judge.ts'

/** The value of `X-Service-Verified`: the names of all parts that matched a secret, in header order. */
export function verifiedParts(verified: Pick<Verified, 'matches'>): string {
  return [...new Set(verified.matches.map(match => match.partName))].join(',')
}
