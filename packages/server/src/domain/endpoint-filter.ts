import { asHostName, checkHostName } from './host-name.ts'

/** What an endpoint filters events by. An empty list means all events. */
export interface EndpointFilter {
  /** As `name=value`. */
  readonly tags: readonly string[]
  /** In lower case and as A-labels. */
  readonly sendingDomains: readonly string[]
}

/** What the filters of endpoints compare of an event. */
export interface FilteredBy {
  readonly tags: readonly string[]
  /** Null if the event does not name the sender. */
  readonly sendingDomain: string | null
}

/**
 * Finds what filters compare in the data of an event.
 *
 * @example
 * filteredBy({ from: 'Acme <news@acme.example>', tags: { kind: 'news' }, … })
 * // { tags: ['kind=news'], sendingDomain: 'acme.example' }
 */
export function filteredBy(data: object): FilteredBy {
  const { from, tags } = data as { from?: string; tags?: Readonly<Record<string, string>> }
  return {
    tags: Object.entries(tags ?? {}).map(([name, value]) => `${name}=${value}`),
    sendingDomain: from === undefined ? null : domainOfSender(from),
  }
}

/**
 * Normalizes the domains of a filter.
 *
 * @returns the domains, each once, or the index of the first wrong one with what is wrong
 */
export function sendingDomainsOf(
  entered: readonly string[],
): readonly string[] | { readonly index: number; readonly message: string } {
  const domains = entered.map(asHostName)
  const faults = domains.map(domain => checkHostName(domain, true))
  const index = faults.findIndex(fault => fault !== null)
  if (index === -1) return [...new Set(domains)]
  return { index, message: `must be a domain such as acme.example. ${faults[index] ?? ''}` }
}

function domainOfSender(from: string): string | null {
  const address = /<([^<>]*)>\s*$/.exec(from)?.[1] ?? from
  const at = address.lastIndexOf('@')
  return at === -1 ? null : asHostName(address.slice(at + 1))
}
