import type { EventData } from './decided-outcome.ts'
import { erasedAddress } from './erased-address.ts'
import type { EventType } from './event-type.ts'

/** What statistics count of an outcome. */
export interface CountedOutcome {
  /** Why a recipient bounced, failed or unsubscribed; empty if the email was delivered, or if the event was erased. */
  readonly reason: string
  /** The domain of each recipient; null if the recipient was erased. */
  readonly domains: ReadonlyArray<string | null>
}

/**
 * Finds what to count of the data of an event. A recount does the same with the stored body.
 *
 * @example
 * countedOutcome('email.bounced', { to: ['ann@example.org'], bounce: { category: 'invalid_recipient' }, … })
 * // { reason: 'invalid_recipient', domains: ['example.org'] }
 */
export function countedOutcome(type: EventType, data: Pick<EventData, 'to'>): CountedOutcome {
  return { reason: reasonOf(type, data), domains: data.to.map(domainOf) }
}

/** The source of an unsubscribe that is a spam complaint. */
export const complaint = 'complaint'

function reasonOf(type: EventType, data: object): string {
  const { bounce, failure, unsubscribe } = data as Particulars
  switch (type) {
    case 'email.delivered':
      return ''
    case 'email.bounced':
      return bounce?.category ?? ''
    case 'email.failed':
      return failure?.reason ?? ''
    case 'email.unsubscribed':
      return unsubscribe?.source ?? ''
    case 'email.complained':
    case 'email.deferred':
    case 'email.suppressed':
      return ''
  }
}

interface Particulars {
  bounce?: { category?: string }
  failure?: { reason?: string }
  unsubscribe?: { source?: string }
}

function domainOf(address: string): string | null {
  if (address === erasedAddress) return null
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
}
