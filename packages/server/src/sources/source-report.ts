import type { IgnoredReportReason, RawOutcomeInput } from '@posthorn/contract'

/** A report from one input record, or the reason why there is none. */
export interface Translated {
  /** The index of the record in the input. */
  readonly index: number
  readonly report: SourceReport | IgnoredReportReason
}

/** The report of a mail server about one recipient, not verified yet. */
export interface SourceReport {
  /** Addresses that may be our return path for that recipient; the first genuine one counts. */
  readonly returnPaths: readonly string[]
  /** For a complaint: the unsubscribe tokens in the email. The first genuine one counts if no return path is genuine. */
  readonly unsubscribeTokens?: readonly string[]
  /** The ids of an email that Posthorn did not send. */
  readonly foreign: ForeignEmail | null
  /** The final recipient, then the recipient before an alias; empty if the report has none. */
  readonly recipients: readonly string[]
  /** Whether it is about the recipient of the return path even if it names another, because the email was forwarded. */
  readonly isForwarded?: boolean
  readonly outcome: ReportedOutcome
  /** The reporting server's own `Status`. */
  readonly reportedStatus?: string | undefined
  /** Whether the reply may be about other recipients of the same transaction. */
  readonly isShared?: boolean
  /** Whether it was read from the text of a bounce message, because that has no status fields. */
  readonly isInWords?: boolean
  /** What the mail system says about the recipient in that text, without a reply. */
  readonly statement?: string
  /** For a complaint. */
  readonly feedbackType?: string
  /** The mail provider that reported it, by its name. */
  readonly reporter?: string
  /** Identifies the report, so that duplicates are ignored. */
  readonly outcomeId: string
}

export interface ForeignEmail {
  /** UUID. */
  readonly accountId: string
  readonly emailId: string
  readonly messageId?: string | undefined
}

export type ReportedOutcome = Pick<
  RawOutcomeInput,
  'disposition' | 'stage' | 'reply' | 'remote_mta' | 'reporting_mta' | 'occurred_at' | 'attempts' | 'timing'
>

/** Ignores a complaint, for operators who do not act on them. */
export function withoutComplaint({ index, report }: Translated): Translated {
  const isOne = typeof report !== 'string' && report.outcome.disposition === 'complaint'
  return { index, report: isOne ? 'not_an_outcome' : report }
}

/** Names the mail provider in a report. */
export function reportedBy({ index, report }: Translated, reporter: string): Translated {
  return { index, report: typeof report === 'string' ? report : { ...report, reporter } }
}
