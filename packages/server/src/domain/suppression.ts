import type { EventData } from './decided-outcome.ts'
import type { EventType } from './event-type.ts'

/** Which mail a suppression holds back: all of the account's, what was sent with `unsubscribe`, or that of one list. */
export type SuppressionScope =
  | { readonly type: 'all_mail' }
  | { readonly type: 'all_lists' }
  | { readonly type: 'list'; readonly id: string }

/** Why an address is not to be written to any more, as an event says it. */
export interface SuppressionCause {
  readonly address: string
  readonly reason: 'bounce' | 'domain_bounce' | 'complaint' | 'unsubscribe'
  readonly scope: SuppressionScope
}

/** For how long a bounce counts that says something of the whole domain: domains come back. */
export const domainBounceDays = 30

/** What is wrong with the domain and with all its addresses, but is often mended. */
const ofDomain: ReadonlySet<unknown> = new Set(['invalid_domain', 'domain_not_accepting_mail'])

/** What an event means for mail that is yet to be sent; null when nothing. */
export function suppressionCause(type: EventType, data: EventData): SuppressionCause | null {
  const [address] = data.to
  if (address === undefined) return null
  switch (type) {
    case 'email.delivered':
    case 'email.failed':
      return null
    case 'email.bounced': {
      const isOfDomain = ofDomain.has(field(data['bounce'], 'category'))
      return { address, reason: isOfDomain ? 'domain_bounce' : 'bounce', scope: { type: 'all_mail' } }
    }
    case 'email.unsubscribed':
      return ofUnsubscription(address, data['unsubscribe'])
  }
}

/** A complaint ends everything: whoever calls one mail spam will call the next one that too. */
function ofUnsubscription(address: string, unsubscribe: unknown): SuppressionCause {
  if (field(unsubscribe, 'source') === 'complaint') {
    return { address, reason: 'complaint', scope: { type: 'all_mail' } }
  }
  const scope = field(unsubscribe, 'scope')
  const list = field(scope, 'id')
  const isOfOne = field(scope, 'type') !== 'all' && typeof list === 'string' && list !== ''
  return {
    address,
    reason: 'unsubscribe',
    scope: isOfOne ? { type: 'list', id: list } : { type: 'all_lists' },
  }
}

function field(part: unknown, name: string): unknown {
  return typeof part === 'object' && part !== null ? Reflect.get(part, name) : undefined
}
