import { headerNames, type HeaderNames } from './header-names.ts'
import { defaultHeaderPrefix } from './request-headers.ts'

/**
 * The part of a request's headers that the attempt log stores: the signature, the user agent, and the names of the customer's
 * own headers, one per line. A prefix other than the default is before the signature. The rest follows from the delivery. The values of the customer's headers are never stored.
 */
export function requestRecord(
  { prefix }: HeaderNames,
  signature: string,
  userAgent: string,
  extraHeaderNames: string,
): string {
  const own = prefix === defaultHeaderPrefix ? '' : `${prefix} `
  return `${own}${signature}\n${userAgent}\n${extraHeaderNames}`
}

/** The headers that follow from the delivery, as customers see them. */
export interface RequestFacts {
  eventId: string
  deliveryId: string
  attempt: number
  sequence: number
}

/** The headers of a request, without the values of the customer's own. */
export function requestHeadersOf(record: string, facts: RequestFacts): Record<string, string> {
  const [first = '', userAgent = '', ...extraNames] = record.split('\n')
  const space = first.indexOf(' ')
  const names = headerNames(space === -1 ? defaultHeaderPrefix : first.slice(0, space))
  return {
    'Content-Type': 'application/json',
    [names.signature]: first.slice(space + 1),
    [names.eventId]: facts.eventId,
    [names.deliveryId]: facts.deliveryId,
    [names.attempt]: String(facts.attempt),
    [names.sequence]: String(facts.sequence),
    'User-Agent': userAgent,
    'Accept-Encoding': 'identity',
    ...Object.fromEntries(extraNames.filter(name => name !== '').map(name => [name, '***'])),
  }
}
