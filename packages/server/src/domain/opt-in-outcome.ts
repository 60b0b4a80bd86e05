import { complaint } from './counted-outcome.ts'
import type { DecidedOutcome, EventData } from './decided-outcome.ts'
import type { OptInEventType } from './event-type.ts'

/**
 * The opt-in event that goes with an outcome: a complaint is also `email.complained`, and an email to a suppressed address is
 * also `email.suppressed`. Null for other outcomes.
 */
export function optInOutcome(
  outcome: Pick<DecidedOutcome, 'type' | 'data'>,
): { type: OptInEventType; data: EventData } | null {
  const { unsubscribe, failure } = outcome.data as Particulars
  if (outcome.type === 'email.unsubscribed' && unsubscribe?.source === complaint) {
    const { feedback_type, user_agent } = unsubscribe
    const given = {
      ...(feedback_type !== undefined && { feedback_type }),
      ...(user_agent !== undefined && { user_agent }),
    }
    return { type: 'email.complained', data: { ...commonOf(outcome.data), complaint: given } }
  }
  if (outcome.type === 'email.failed' && failure?.reason === 'recipient_suppressed') {
    const { suppression } = failure
    const given = suppression !== undefined && { suppression }
    return { type: 'email.suppressed', data: { ...commonOf(outcome.data), ...given } }
  }
  return null
}

/** What no opt-in event has of an outcome. */
const particulars: ReadonlySet<string> = new Set([
  'unsubscribe',
  'failure',
  'scope',
  'smtp_response',
  'remote_mta',
  'reporting_mta',
  'attempts',
  'decided_by',
])

/** The other fields, in their order. */
function commonOf(data: EventData): EventData {
  const { email_id, to, occurred_at } = data
  const rest = Object.fromEntries(Object.entries(data).filter(([name]) => !particulars.has(name)))
  return { ...rest, email_id, to, occurred_at }
}

interface Particulars {
  unsubscribe?: { source?: string; feedback_type?: string; user_agent?: string }
  failure?: { reason?: string; suppression?: object }
}
