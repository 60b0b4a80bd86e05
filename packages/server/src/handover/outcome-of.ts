import type { RawOutcomeInput } from '@posthorn/contract'
import { cutText } from '../domain/cut-text.ts'
import type { DecidedOutcome } from '../domain/decided-outcome.ts'
import type { HandoverVerdict, Submission } from '../domain/decide-handover.ts'
import { typeId } from '../domain/type-id.ts'
import { judgeRawOutcome } from '../sources/judge-raw-outcome.ts'
import type { ClaimedHandover } from './claim.ts'
import type { Prepared } from './prepare.ts'

/** Why a hand-over ended or is tried again: before the email was offered, or with the server's answer. */
export type Ending =
  | Exclude<Prepared, { kind: 'message' }>
  | (Extract<HandoverVerdict, { kind: 'outcome' }> & { readonly submission: Submission })
  | { readonly kind: 'deferred'; readonly submission: Exclude<Submission, { kind: 'accepted' }> }

/** The outcome of a hand-over, classified like the reports of any other source. */
export function outcomeOf(handover: ClaimedHandover, ending: Ending, nowMs: number): DecidedOutcome {
  const { from, subject, tags, metadata } = handover.described
  const occurredAt = new Date(nowMs).toISOString()
  const raw: RawOutcomeInput = {
    email_id: typeId('em', handover.emailId),
    recipient: handover.address,
    ...happened(ending),
    occurred_at: occurredAt,
    timing: 'synchronous',
    message_id: handover.messageId,
    from: cutText(from, 998),
    subject,
    ...('submission' in ending && { attempts: handover.tries + 1 }),
    ...(tags !== null && { tags }),
    ...(metadata !== null && { metadata }),
  }
  const sentAt = new Date(handover.acceptedAtMs).toISOString()
  const judged = judgeRawOutcome(raw, handover.accountId, occurredAt, { sentAt })
  if (typeof judged === 'string') throw new Error(`a hand-over was classified as ${judged}`)
  const outcome = { ...judged, traceparent: handover.traceparent }
  return ending.kind === 'suppressed' ? withSuppression(outcome, ending.by) : outcome
}

function happened(ending: Ending): Pick<RawOutcomeInput, 'disposition' | 'stage' | 'reply'> {
  switch (ending.kind) {
    case 'suppressed':
      return { disposition: 'suppressed' }
    case 'unsignable':
      return {
        disposition: 'signing_error',
        stage: 'signing',
        reply: { text: 'The DKIM key is unreadable.' },
      }
    case 'deferred': {
      const { stage, reply } = ending.submission
      return { disposition: 'temporary', stage, reply: { text: reply } }
    }
    case 'outcome': {
      const { submission, disposition } = ending
      // the code says that the server accepted the email, whatever numbers the text contains
      if (submission.kind === 'accepted')
        return { disposition, stage: 'end_of_data', reply: { code: 250, text: submission.reply } }
      return { disposition, stage: submission.stage, reply: { text: submission.reply } }
    }
  }
}

/** Adds why and since when the address is suppressed. */
function withSuppression(outcome: DecidedOutcome, by: object): DecidedOutcome {
  const { failure } = outcome.data
  return { ...outcome, data: { ...outcome.data, failure: { ...(failure as object), suppression: by } } }
}
