import type { Stage } from './stage.ts'

/** A mail system's report about one recipient's email, before it is classified. */
export interface RawOutcome {
  /** What the reporter did. By default the class of the reply decides. */
  disposition?: Disposition | undefined
  /** Where it happened. By default the text of the reply decides. */
  stage?: Stage | undefined
  reply?: RawReply | undefined
  /**
   * The domain of the recipient's address, in lower case and as A-labels. Without it, a missing domain does not prove a
   * bounce.
   */
  recipientDomain?: string | undefined
  /** The recipient's address. A reply that refuses another address is not about the recipient. */
  recipient?: string | undefined
  /** The sender's addresses in header and envelope, and the Message-ID. None of them can be the refused address. */
  senders?: readonly string[] | undefined
  /** The name of the server that replied. */
  remoteMta?: string | undefined
  /** The reply was read from the text of a bounce message, because that has no status fields. */
  isInWords?: boolean | undefined
  /**
   * What the reporting mail system itself says about the recipient in a bounce message without a reply. Its words can prove a
   * bounce like a reply of class 5.
   */
  statement?: string | undefined
  /** The report is about another address that the mail was forwarded to, so it cannot be a bounce. */
  isForwarded?: boolean | undefined
  timing?: 'synchronous' | 'asynchronous' | undefined
  /** How many recipients shared the SMTP transaction; one by default. */
  recipientsInTransaction?: number | undefined
}

export interface RawReply {
  code?: number | undefined
  enhancedCode?: string | undefined
  /** The whole reply. It may repeat the codes and have several lines. */
  text?: string | undefined
  /** `Status` of a delivery status notification: the code that the reporting server chose for the reply. */
  reportedStatus?: string | undefined
}

export const dispositions = [
  'accepted',
  'temporary',
  'permanent',
  'expired',
  'suppressed',
  'cancelled',
  'signing_error',
  'complaint',
  'unsubscribe',
] as const

/** `temporary`: the mail system is still trying. `expired`: it gave up. */
export type Disposition = (typeof dispositions)[number]
