import type { EmailAccepted, EmailCreate } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { typeId } from '../domain/type-id.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'
import { AppError } from '../errors.ts'
import { storeEmail } from './store-email.ts'

/**
 * Takes an email in: once this is committed, every recipient will get it or an event that says why not. Whether one is
 * suppressed is looked at when it is handed over, which is later and therefore knows more.
 */
export async function createEmail(ctx: Ctx, accountId: string, email: EmailCreate): Promise<EmailAccepted> {
  if (!ctx.settings.canSendMail) {
    throw new AppError(
      'sending_not_configured',
      'This installation sends no mail: its operator has to set POSTHORN_SMTP_URL to a mail server that takes mail from it, such as smtp://127.0.0.1:25.',
    )
  }
  const id = await ctx.db.transaction(async tx => await storeEmail({ ...ctx, db: tx }, accountId, email))
  ctx.outside.wakeDispatchers()
  return { email_id: typeId('em', id), created_at: new Date(uuidV7Ms(id)).toISOString() }
}
