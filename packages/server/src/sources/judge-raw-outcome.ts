import type { RawOutcomeInput } from '@posthorn/contract'
import { classify, type ExplainedClassification } from '../domain/classify/classify.ts'
import type { RawOutcome as ClassifierInput } from '../domain/classify/raw-outcome.ts'
import { domainOf } from '../domain/email-address.ts'
import { type DecidedOutcome, fillOutcome, type ReportedData } from '../domain/decided-outcome.ts'

/** What only Posthorn's own sources know. */
export interface SourceFacts {
  /** `Status` as the reporting server wrote it; servers also invent one. */
  readonly reportedStatus?: string | undefined
  /** The mail was forwarded, and the report is about another address than the recipient. */
  readonly isForwarded?: boolean | undefined
  /** That address, if it is known. */
  readonly finalRecipient?: string | undefined
  /** Return paths of the mail. */
  readonly returnPaths?: readonly string[]
  /** How many recipients may have shared the SMTP transaction; one by default. */
  readonly recipientsInTransaction?: number | undefined
  /** Read from the text of a bounce message, because that has no status fields. */
  readonly isInWords?: boolean | undefined
  /** What the mail system says about the recipient in that text, without a reply. */
  readonly statement?: string | undefined
  /** The kind of a complaint. */
  readonly feedbackType?: string | undefined
  /** The mail provider that reported it. */
  readonly reporter?: string | undefined
  /** When Posthorn accepted the email, if it sent it itself. */
  readonly sentAt?: string | undefined
}

/**
 * Lets the classifier decide what a raw report means. If the mail server tries again, the outcome is `email.deferred`, which the
 * intake reports as `temporary`.
 *
 * @returns the outcome, or why there is none
 */
export function judgeRawOutcome(
  raw: RawOutcomeInput,
  accountId: string,
  arrivedAt: string,
  facts: SourceFacts = {},
): DecidedOutcome | 'temporary' | 'not_an_outcome' {
  const classified: ClassifierInput = {
    disposition: raw.disposition,
    stage: raw.stage,
    timing: raw.timing,
    isForwarded: facts.isForwarded,
    isInWords: facts.isInWords,
    statement: facts.statement,
    recipient: raw.recipient,
    senders: [raw.from ?? '', raw.message_id ?? '', ...(facts.returnPaths ?? [])].filter(one => one !== ''),
    recipientDomain: domainOf(facts.finalRecipient ?? raw.recipient),
    remoteMta: raw.remote_mta?.name,
    recipientsInTransaction: facts.recipientsInTransaction,
    reply: {
      code: raw.reply?.code,
      enhancedCode: raw.reply?.enhanced_code,
      text: raw.reply?.text,
      reportedStatus: facts.reportedStatus,
    },
  }
  const found = classify(classified)
  if (found.event === null) {
    const isDeferral = found.reason === 'temporary' && facts.isForwarded !== true
    return isDeferral ? deferred(raw, classified, { accountId, arrivedAt, facts }) : found.reason
  }
  const isForwarded =
    found.event === 'email.failed' &&
    (facts.isForwarded === true || found.data.failure.final_recipient !== undefined)
  return {
    accountId,
    type: found.event,
    data: fillOutcome(
      found.event,
      { ...described(raw, facts), ...particulars(raw, found, facts) },
      arrivedAt,
    ),
    outcomeId: raw.outcome_id ?? null,
    isOncePerRecipient: found.event !== 'email.unsubscribed',
    ...(isForwarded && { isForwarded: true }),
  }
}

/** The reason is the one that the email would fail for if the mail server gave up now. */
function deferred(
  raw: RawOutcomeInput,
  classified: ClassifierInput,
  { accountId, arrivedAt, facts }: { accountId: string; arrivedAt: string; facts: SourceFacts },
): DecidedOutcome | 'temporary' {
  const found = classify({ ...classified, disposition: 'expired' })
  if (found.event !== 'email.failed') return 'temporary'
  const { failure, smtp_response } = found.data
  const { category, reason, message } = failure
  const data = {
    ...described(raw, facts),
    deferral: reason === 'delivery_expired' ? unexplained : { category, reason, message },
    smtp_response,
    remote_mta: raw.remote_mta,
    reporting_mta: raw.reporting_mta,
    attempts: raw.attempts,
  }
  return {
    accountId,
    type: 'email.deferred',
    data: fillOutcome('email.deferred', data, arrivedAt),
    outcomeId: null,
    isOncePerRecipient: false,
  }
}

const unexplained = {
  category: 'infrastructure',
  reason: 'unspecified',
  message: 'The email was not delivered yet. The mail server tries again.',
}

function described(raw: RawOutcomeInput, { sentAt }: SourceFacts): ReportedData {
  return {
    email_id: raw.email_id,
    to: [raw.recipient],
    occurred_at: raw.occurred_at,
    message_id: raw.message_id,
    from: raw.from,
    subject: raw.subject,
    tags: raw.tags,
    metadata: raw.metadata,
    sent_at: sentAt,
  }
}

/** The fields that the catalogue has for this event: an unsubscription has no reply, a delivery needs no explanation. */
function particulars(
  raw: RawOutcomeInput,
  found: Exclude<ExplainedClassification, { event: null }>,
  { finalRecipient, feedbackType, reporter }: SourceFacts,
): object {
  if (found.event === 'email.unsubscribed') {
    return {
      unsubscribe: {
        ...found.data.unsubscribe,
        ...(feedbackType !== undefined && { feedback_type: feedbackType }),
        ...(reporter !== undefined && { user_agent: reporter }),
      },
    }
  }
  const reply = { ...found.data, remote_mta: raw.remote_mta, attempts: raw.attempts }
  if (found.event === 'email.delivered') return reply
  const whole = { ...reply, reporting_mta: raw.reporting_mta, decided_by: found.decidedBy }
  if (found.event !== 'email.failed' || finalRecipient === undefined) return whole
  return { ...whole, failure: { ...found.data.failure, final_recipient: finalRecipient } }
}
