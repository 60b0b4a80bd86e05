import { type EndpointFilter, filteredBy } from '../domain/endpoint-filter.ts'
import { searchKey } from './search-key.ts'

/** The keys by which the filters of endpoints find an event. */
export function filterKeys(accountId: string, data: object): bigint[] {
  const { tags, sendingDomain } = filteredBy(data)
  return [
    ...tagKeys(accountId, tags),
    ...domainKeys(accountId, sendingDomain === null ? [] : [sendingDomain]),
  ]
}

/** The keys of an endpoint's filter. An event passes if it has one of each list that is not empty. */
export function keysOfFilter(accountId: string, { tags, sendingDomains }: EndpointFilter) {
  return { tagKeys: tagKeys(accountId, tags), domainKeys: domainKeys(accountId, sendingDomains) }
}

function tagKeys(accountId: string, tags: readonly string[]): bigint[] {
  return tags.map(tag => searchKey(accountId, 'tag', tag))
}

function domainKeys(accountId: string, domains: readonly string[]): bigint[] {
  return domains.map(domain => searchKey(accountId, 'sending_domain', domain))
}
