import type { SendingDomain } from '@posthorn/contract'
import { domainWords } from './domain-words.ts'

/** A sending domain whose DNS is wrong, as a notice. */
export interface BrokenDomain {
  readonly id: string
  readonly name: string
  readonly headline: string
  readonly detail: string
}

/** The domains for which the last check found a missing or wrong DNS record; those that never signed come first. */
export function brokenDomains(domains: readonly SendingDomain[]): BrokenDomain[] {
  return domains
    .flatMap(domain => {
      const broken = domain.records.filter(
        ({ state, required }) => state === 'wrong' || (state === 'missing' && required),
      )
      return domain.checked_at === null || broken.length === 0 ? [] : [{ domain, broken }]
    })
    .toSorted((a, b) => Number(a.domain.verified_at !== null) - Number(b.domain.verified_at !== null))
    .map(({ domain, broken }) => ({
      id: domain.id,
      name: domain.name,
      headline: domainWords(domain).headline,
      detail: broken[0]?.message ?? '',
    }))
}
