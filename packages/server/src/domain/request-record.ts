import { headerNames, type HeaderNames } from './header-names.ts'
import { defaultHeaderPrefix } from './request-headers.ts'

/**
 * The part of a request's headers that the attempt log stores: the signature, the user agent, and the names of the customer's
 * own headers, one per line. A prefix other than the default is before the signature, and the signatures of Standard Webhooks are
 * after it. The rest follows from the delivery. The values of the customer's headers are never stored.
 */
export function requestRecord(
  { prefix }: HeaderNames,
  { signature, standardSignature }: { signature: string; standardSignature: string | undefined },
  userAgent: string,
  extraHeaderNames: string,
): string {
  const own = prefix === defaultHeaderPrefix ? '' : `${prefix} `
  const standard = standardSignature === undefined ? '' : ` ${standardSignature}`
  return `${own}${signature}${standard}\n${userAgent}\n${extraHeaderNames}`
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
  const parts = first.split(' ')
  const prefix = first.startsWith('t=') ? defaultHeaderPrefix : (parts.shift() ?? '')
  const names = headerNames(prefix)
  const [signature = '', ...standardSignatures] = parts
  return {
    'Content-Type': 'application/json',
    [names.signature]: signature,
    [names.eventId]: facts.eventId,
    [names.deliveryId]: facts.deliveryId,
    [names.attempt]: String(facts.attempt),
    [names.sequence]: String(facts.sequence),
    ...(standardSignatures.length > 0 && {
      'webhook-id': facts.eventId,
      'webhook-timestamp': /^t=(\d+)/.exec(signature)?.[1] ?? '',
      'webhook-signature': standardSignatures.join(' '),
    }),
    'User-Agent': userAgent,
    'Accept-Encoding': 'identity',
    ...Object.fromEntries(extraNames.filter(name => name !== '').map(name => [name, '***'])),
  }
}
