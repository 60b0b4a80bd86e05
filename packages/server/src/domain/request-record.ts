/**
 * The part of a request's headers that the attempt log stores: the signature, the user agent, and the names of the customer's
 * own headers, one per line. The rest follows from the delivery. The values of the customer's headers are never stored.
 */
export function requestRecord(signature: string, userAgent: string, extraHeaderNames: string): string {
  return `${signature}\n${userAgent}\n${extraHeaderNames}`
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
