import type { PostfixRecord } from '@posthorn/contract'
import type { LogClock } from './log-time.ts'

/** The outcome of a mail for one recipient. */
export interface LogOutcome {
  /** `temporary` only for a recipient's first deferral. */
  readonly disposition: 'accepted' | 'temporary' | 'permanent' | 'expired' | 'cancelled'
  /** The envelope sender: Posthorn's return path if Posthorn sent the mail. Null if the log does not contain it. */
  readonly from: string | null
  readonly messageId: string | null
  /** The value of the configured header, if the log contains it. */
  readonly header: string | null
  /** Whether the reply is for this recipient alone, as with LMTP. */
  readonly isPerRecipient: boolean
  readonly recipient: string
  readonly origTo: string | null
  /** `mx1.example.org[192.0.2.7]:25` */
  readonly relay: string | null
  /** The enhanced status code; empty if the log has none. */
  readonly dsn: string
  readonly reason: string
  readonly attempts: number
  readonly atMs: number
}

/** Why a line produces no outcome. */
const passedOver = [
  /** The mail server is still trying, and not for the first time. If it gives up later, it writes another line. */
  'deferred',
  /** The mail server only checked the address. No mail was sent. */
  'probe',
  /** The mail server's configuration drops the mail. */
  'discarded',
  /** The mail went to an alias, a content filter, or a relay that is not the last hop. */
  'handed_on',
  /** It looks like a delivery, but cannot be parsed. */
  'unreadable',
  /** A line of another program. */
  'unrelated',
  /** Not a line of a log. */
  'not_understood',
] as const

export type PassedOver = (typeof passedOver)[number]

/** Parses the log of a mail server line by line. */
export interface MailLog {
  /** The outcomes of a line: none, one, or one for each recipient; or why it produces none. */
  take(line: string, clock: LogClock): readonly LogOutcome[] | PassedOver
  /** The state to keep for the next lines, as plain JSON. */
  memory(): readonly unknown[]
}

/** The log of one kind of mail server. */
export interface LogFormat {
  readonly source: NonNullable<PostfixRecord['source']>
  /** A line that it understands, for people who gave it another log. */
  readonly example: string
  /** @param memory what `memory()` returned in the last run; undefined in the first */
  open(memory: readonly unknown[] | undefined): MailLog
}
