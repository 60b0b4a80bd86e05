import type { EventData } from './decided-outcome.ts'
import type { EventType } from './event-type.ts'

/** Which mail a suppression stops: all mail of the account, all mail sent with `unsubscribe`, or one list. */
export type SuppressionScope =
  | { readonly type: 'all_mail' }
  | { readonly type: 'all_lists' }
  | { readonly type: 'list'; readonly id: string }

/** Why an event suppresses an address. */
export interface SuppressionCause {
  readonly address: string
  readonly reason: 'bounce' | 'domain_bounce' | 'complaint' | 'unsubscribe'
  readonly scope: SuppressionScope
}

/** How long a bounce about a whole domain counts, because domains often work again. */
export const domainBounceDays = 30

/**
 * How long the link of an email can undo its unsubscription. People notice a mistake soon. Years later, a forwarded email must
 * not let its readers subscribe the recipient again.
 */
export const undoDays = 7

/** Categories that are about the whole domain. Such problems are often fixed. */
const ofDomain: ReadonlySet<unknown> = new Set(['invalid_domain', 'domain_not_accepting_mail'])

/** The suppression that follows from an event, or null. */
export function suppressionCause(type: EventType, data: EventData): SuppressionCause | null {
  const [address] = data.to
  if (address === undefined) return null
  switch (type) {
    case 'email.delivered':
    case 'email.failed':
    // the outcome that it goes with suppresses
    case 'email.complained':
    case 'email.deferred':
    case 'email.suppressed':
      return null
    case 'email.bounced': {
      const isOfDomain = ofDomain.has(field(data['bounce'], 'category'))
      return { address, reason: isOfDomain ? 'domain_bounce' : 'bounce', scope: { type: 'all_mail' } }
    }
    case 'email.unsubscribed':
      return ofUnsubscription(address, data['unsubscribe'])
  }
}

/** A complaint suppresses all mail, because the recipient would report the next mail as spam too. */
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
