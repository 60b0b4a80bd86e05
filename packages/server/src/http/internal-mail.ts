import type { Schema } from '@posthorn/contract'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { AppError } from '../errors.ts'
import type { MailDoor } from '../mail/mail-door.ts'
import { check, validationFailed } from './field-errors.ts'
import { rawBody } from './read-request.ts'

/** The largest mail that an SMTP port takes. */
const mailBytesMax = 10 * 1024 * 1024

const recipientQuery = z.object({ address: z.string() })
const mailQuery = z.object({ recipient: z.string(), null_sender: z.enum(['true', 'false']) })

/** Lets the SMTP port of a front use this shard. `requireFront` guards the routes. */
export function serveInternalMail(app: FastifyInstance, mail: MailDoor): void {
  app.get('/internal/mail/recipient', async request => ({
    is_own: await mail.isOwnRecipient(parsed(recipientQuery, request.query).address),
  }))

  app.post('/internal/mail', { bodyLimit: mailBytesMax }, async request => {
    if (request.front === null || request.front.body === 'stream') {
      throw new AppError('unauthorized', 'Only fronts may send mail here, with a signed body.')
    }
    const { recipient, null_sender } = parsed(mailQuery, request.query)
    const envelope = { recipients: [recipient], hasNullSender: null_sender === 'true' }
    const [answer] = await mail.take(rawBody(request), envelope)
    return answer
  })
}

function parsed<Output>(schema: Schema<Output>, query: unknown): Output {
  const result = check(schema, query)
  if ('errors' in result) throw validationFailed(result.errors)
  return result.data
}
