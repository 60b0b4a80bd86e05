import type { Ctx } from '../context.ts'
import { readIncoming } from '../mail/read-incoming.ts'
import { type MessageContext, takeMessage } from '../sources/take-message.ts'
import { isOwnRecipient } from './own-recipient.ts'
import type { MailDoor } from '../mail/mail-door.ts'

/** Processes mail in the database of this process. */
export function ownMail(ctx: Ctx & MessageContext, domain: string): MailDoor {
  return {
    isOwnRecipient: async address => await isOwnRecipient(ctx, address, domain),
    take: async (mail, { recipients, hasNullSender }) => {
      const incoming = await readIncoming(mail)
      const answers = []
      for (const recipient of recipients) {
        answers.push(await takeMessage(ctx, { mail, incoming, recipient, hasNullSender }, null))
      }
      return answers
    },
  }
}
