import type { Stage } from './stage.ts'

/** What a mail system says became of one recipient's email, before anybody has decided what it means. */
export interface RawOutcome {
  /** What the reporter did or knows. Omitted: the class of the reply says it. */
  disposition?: Disposition | undefined
  /** Where it happened. Omitted: the reply's text may say it. */
  stage?: Stage | undefined
  reply?: RawReply | undefined
  /**
   * Domain of the address that the mail was for, in lower case and as A-labels. Without it a missing domain proves
   * nothing.
   */
  recipientDomain?: string | undefined
  /** The address that the mail was for. A reply that refuses another one says nothing of it. */
  recipient?: string | undefined
  /** Addresses of the sender in the header and in the envelope, and the Message-ID: none of them is the refused one. */
  senders?: readonly string[] | undefined
  /** Name of the server that said it. */
  remoteMta?: string | undefined
  /** The report is about another address that the mail was forwarded to: nothing it says can be a bounce. */
  isForwarded?: boolean | undefined
  timing?: 'synchronous' | 'asynchronous' | undefined
  /** How many recipients shared the SMTP transaction; one unless the reporter says otherwise. */
  recipientsInTransaction?: number | undefined
}

export interface RawReply {
  code?: number | undefined
  enhancedCode?: string | undefined
  /** The whole reply; may repeat the codes and may have several lines. */
  text?: string | undefined
  /** `Status` of a delivery status notification: what the *reporting* server made of the reply. */
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

/** `temporary`: the mail system still tries; `expired`: it has given up trying. */
export type Disposition = (typeof dispositions)[number]
