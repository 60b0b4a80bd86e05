import { formatEnhancedCode } from '../domain/classify/enhanced-code.ts'
import { readReply } from '../domain/classify/read-reply.ts'
import { commandOf, type Stage } from '../domain/classify/stage.ts'
import type { Submission } from '../domain/decide-handover.ts'

/** The server's reply, as JSON for the recipient's record. */
export function replyRecord(submission: Submission): string {
  const { code, enhanced, message } = readReply({ text: submission.reply })
  const stage: Stage = submission.kind === 'accepted' ? 'end_of_data' : submission.stage
  const command = commandOf(stage)
  return JSON.stringify({
    code,
    enhanced_code: enhanced === null ? null : formatEnhancedCode(enhanced),
    message,
    ...(command !== null && { command }),
  })
}
