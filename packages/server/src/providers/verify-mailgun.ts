import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '../errors.ts'
import type { ProviderRequest, ProviderTools } from './provider.ts'
import { fieldIn, textIn } from './read-fields.ts'

/**
 * Mailgun signs the timestamp and a random token, not the report itself. So the secret URL matters too.
 * @returns the `event-data` of the request, or the fields of the form of its older webhooks in the same shape
 */
export async function verifyMailgun(
  request: ProviderRequest,
  key: string,
  { nowMs }: ProviderTools,
): Promise<unknown> {
  const form = await request.form()
  if (form !== null) {
    const fields = Object.fromEntries(form)
    checkSignature(fields, key, nowMs)
    return ofOlderWebhook(form)
  }
  const payload = request.json()
  checkSignature(fieldIn(payload, 'signature'), key, nowMs)
  return fieldIn(payload, 'event-data')
}

/** Mailgun retries for eight hours, possibly with the same timestamp. A request that comes again is a duplicate. */
const ageMsMax = 12 * 3_600_000
const aheadMsMax = 10 * 60_000

function checkSignature(signed: unknown, key: string, nowMs: number): void {
  const [timestamp, token] = [textIn(signed, 'timestamp'), textIn(signed, 'token')]
  const expected = createHmac('sha256', key).update(`${timestamp}${token}`).digest()
  // the second one is of the main account, if a subaccount sent the email
  const isGenuine = ['signature', 'parent-signature'].some(name => {
    const given = textIn(signed, name)
    return /^[0-9a-f]{64}$/i.test(given) && timingSafeEqual(Buffer.from(given, 'hex'), expected)
  })
  if (!isGenuine || !/^\d{1,10}$/.test(timestamp) || token === '') {
    throw new AppError(
      'unauthorized',
      'The signature of the report is missing or wrong. Check the HTTP webhook signing key of the source.',
    )
  }
  const ageMs = nowMs - Number(timestamp) * 1_000
  if (ageMs > ageMsMax || ageMs < -aheadMsMax) {
    throw new AppError('unauthorized', 'The timestamp of the report is too far from the current time.')
  }
}

const newNames = new Map([
  ['bounced', 'failed'],
  ['dropped', 'failed'],
])

function ofOlderWebhook(form: ReadonlyMap<string, string>): object {
  const field = (name: string): string => form.get(name) ?? ''
  return {
    event: newNames.get(field('event')) ?? field('event'),
    severity: 'permanent',
    reason: field('reason'),
    timestamp: field('timestamp'),
    recipient: field('recipient'),
    message: { headers: { 'message-id': field('Message-Id') || field('message-id') } },
    'delivery-status': {
      code: field('code'),
      message: field('error') || field('notification'),
      description: field('description'),
    },
    'user-variables': { posthorn_email_id: field('posthorn_email_id') },
  }
}
