import type { IgnoredReportReason, RawOutcomeInput } from '@posthorn/contract'

/** What a source made of one thing that it was given, or why it made nothing of it. */
export interface Translated {
  /** Where it stood in what was given. */
  readonly index: number
  readonly report: SourceReport | IgnoredReportReason
}

/** What a mail server says of one recipient, translated and not yet believed. */
export interface SourceReport {
  /** Addresses that may be our return path for that recipient; the first genuine one counts. */
  readonly returnPaths: readonly string[]
  /** Of a complaint: tokens to unsubscribe from the mail, of which the first genuine one counts after all return paths. */
  readonly unsubscribeTokens?: readonly string[]
  /** What it is called when Posthorn has not sent it. */
  readonly foreign: ForeignEmail | null
  /** Whom it names: where the mail went in the end, then what that was before an alias; none when it does not say. */
  readonly recipients: readonly string[]
  /** It is about the recipient whose return path it came to, even when it names another: the mail was forwarded. */
  readonly isForwarded?: boolean
  readonly said: Said
  /** The reporting server's own `Status`. */
  readonly reportedStatus?: string | undefined
  /** Whether the reply may be about other recipients of the same transaction. */
  readonly isShared?: boolean
  /** Of a complaint. */
  readonly feedbackType?: string
  /** Names the report, for all who tell it again. */
  readonly outcomeId: string
}

export interface ForeignEmail {
  /** UUID. */
  readonly accountId: string
  readonly emailId: string
  readonly messageId?: string | undefined
}

export type Said = Pick<
  RawOutcomeInput,
  'disposition' | 'stage' | 'reply' | 'remote_mta' | 'reporting_mta' | 'occurred_at' | 'attempts' | 'timing'
>
