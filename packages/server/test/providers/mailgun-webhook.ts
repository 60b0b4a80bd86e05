import { createHmac, randomBytes } from 'node:crypto'
import type { Webhook } from './provider-app.ts'

export const key = randomBytes(16).toString('hex')
export const nowSeconds = (): number => Math.floor(Date.now() / 1_000)

export function signature(timestamp = nowSeconds(), withKey = key) {
  const token = randomBytes(25).toString('hex')
  const text = createHmac('sha256', withKey).update(`${timestamp}${token}`).digest('hex')
  return { timestamp: String(timestamp), token, signature: text }
}

export const json = { 'content-type': 'application/json' }

export function webhook(event: object, signed: object = signature()): Webhook {
  return { headers: json, payload: JSON.stringify({ signature: signed, 'event-data': event }) }
}

/** What Mailgun tells about an email to Ann. */
export const about = (event: string, given: object = {}) => ({
  event,
  id: randomBytes(12).toString('base64url'),
  timestamp: 1_795_233_601.25,
  'log-level': 'info',
  recipient: 'ann@example.org',
  'recipient-domain': 'example.org',
  envelope: { transport: 'smtp', sender: 'shop@mg.acme.example', targets: 'ann@example.org' },
  message: {
    headers: {
      to: 'ann@example.org',
      from: 'shop@acme.example',
      subject: 'Your order',
      'message-id': `${randomBytes(6).toString('hex')}@mg.acme.example`,
    },
    size: 4_711,
  },
  tags: [],
  'user-variables': { posthorn_email_id: `order-${randomBytes(6).toString('hex')}` },
  ...given,
})
export const replied = (code: number, message: string, given: object = {}) => ({
  'delivery-status': { code, message, 'mx-host': 'mx1.example.org', 'attempt-no': 2, tls: true, ...given },
})
export const failed = (code: number, message: string, given: object = {}) =>
  about('failed', { severity: 'permanent', reason: 'bounce', ...replied(code, message), ...given })
