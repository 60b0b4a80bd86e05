/**
 * What the attempt log keeps of a request's headers: the signature, the user agent, and the names of the customer's own
 * headers, a line each. Everything else follows from the delivery, and values of others are never kept.
 */
export function requestRecord(signature: string, userAgent: string, extraHeaderNames: string): string {
  return `${signature}\n${userAgent}\n${extraHeaderNames}`
}

/** What of a request's headers follows from its delivery, as customers see it. */
export interface RequestFacts {
  eventId: string
  deliveryId: string
  attempt: number
  sequence: number
}

/** The headers of a request as they were sent, in their order, without the values of the customer's own. */
export function requestHeadersOf(record: string, facts: RequestFacts): Record<string, string> {
  const [signature = '', userAgent = '', ...extraNames] = record.split('\n')
  return {
    'Content-Type': 'application/json',
    'X-Service-Signature': signature,
    'X-Service-Event-Id': facts.eventId,
    'X-Service-Delivery-Id': facts.deliveryId,
    'X-Service-Attempt': String(facts.attempt),
    'X-Service-Sequence': String(facts.sequence),
    'User-Agent': userAgent,
    'Accept-Encoding': 'identity',
    ...Object.fromEntries(extraNames.filter(name => name !== '').map(name => [name, '***'])),
  }
}
