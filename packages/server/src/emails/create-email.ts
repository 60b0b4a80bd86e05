import type { EmailAccepted, EmailCreate } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { typeId } from '../domain/type-id.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'
import { AppError } from '../errors.ts'
import { envelopeRecipients, storeEmail } from './store-email.ts'
import { takeQuota } from './take-quota.ts'

/**
 * Accepts an email. After the commit, each recipient gets the email, or the account gets an event that says why not.
 * Suppressions are checked later, at the handover, because there may be new ones by then.
 */
export async function createEmail(
  ctx: Ctx,
  accountId: string,
  email: EmailCreate,
  traceparent: string | null = null,
): Promise<EmailAccepted> {
  if (!ctx.settings.canSendMail) {
    throw new AppError(
      'sending_not_configured',
      'This installation cannot send mail. The operator must set POSTHORN_SMTP_URL to a mail server that accepts its mail, such as smtp://127.0.0.1:25.',
    )
  }
  const id = await ctx.db.transaction(async tx => {
    await takeQuota(tx, accountId, envelopeRecipients(email).length)
    return await storeEmail({ ...ctx, db: tx }, accountId, email, traceparent)
  })
  ctx.outside.wakeDispatchers()
  return { email_id: typeId('em', id), created_at: new Date(uuidV7Ms(id)).toISOString() }
}
