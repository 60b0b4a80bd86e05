import type { Ctx } from '../context.ts'
import { returnPathToken, unsubscribeToken } from '../domain/sources/return-path.ts'
import type { MailDoor } from '../mail/mail-door.ts'
import { readIncoming } from '../mail/read-incoming.ts'
import { readMailToken } from '../mail/read-mail-token.ts'
import type { NoteReport } from '../sources/mail-sources.ts'
import { type MessageContext, takeMessage } from '../sources/take-message.ts'

/** Processes mail in the database of this process. */
export function ownMail(ctx: Ctx & MessageContext & { readonly noteReport: NoteReport }): MailDoor {
  return {
    isOwnRecipient: async address => await isOwnRecipient(ctx, address),
    take: async (mail, { recipients, hasNullSender }) => {
      await ctx.noteReport('smtp')
      const incoming = await readIncoming(mail)
      const answers = []
      for (const recipient of recipients) {
        answers.push(await takeMessage(ctx, { mail, incoming, recipient, hasNullSender }, null))
      }
      return answers
    },
  }
}

/**
 * Whether the address is a return path or an unsubscribe address of this installation. Its domain does not matter, because
 * the token proves it: mail comes back to the domain that an email was sent with, even if nobody uses that domain now.
 */
async function isOwnRecipient(ctx: Pick<Ctx, 'db' | 'seal'>, address: string): Promise<boolean> {
  const bounced = returnPathToken(address)
  if (bounced !== null) return (await readMailToken(ctx, bounced, 'return_path')) !== null
  const token = unsubscribeToken(address)
  return token !== null && (await readMailToken(ctx, token, 'unsubscribe')) !== null
}
