import type { Stage } from '../domain/classify/stage.ts'
import type { SmtpReply } from './smtp-replies.ts'

/** Why a mail server could not be talked to, or would not be. */
export class SmtpFailure extends Error {
  override readonly name = 'SmtpFailure'
  readonly stage: Stage
  /** Null: it did not answer, or its answer was not about what we said. */
  readonly reply: SmtpReply | null

  constructor(stage: Stage, reply: SmtpReply | null, message: string, cause?: unknown) {
    super(message, { cause })
    this.stage = stage
    this.reply = reply
  }
}
