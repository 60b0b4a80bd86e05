import type { Stage } from '../domain/classify/stage.ts'
import type { SmtpReply } from './smtp-replies.ts'

/** A mail server did not answer, or refused to talk. */
export class SmtpFailure extends Error {
  override readonly name = 'SmtpFailure'
  readonly stage: Stage
  /** Null if it did not answer, or not to our command. */
  readonly reply: SmtpReply | null

  constructor(stage: Stage, reply: SmtpReply | null, message: string, cause?: unknown) {
    super(message, { cause })
    this.stage = stage
    this.reply = reply
  }
}
