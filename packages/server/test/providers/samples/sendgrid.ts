import { generateKeyPairSync, sign } from 'node:crypto'

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** SendGrid shows its verification key in base64. */
export const sendgridKey = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')

let events = 0

/** An event in the format of SendGrid's Event Webhook. */
export function sendgridEvent(event: string, given: object = {}): object {
  const id = `k4Zt0vQm${String(++events).padStart(14, '0')}`
  return {
    event,
    email: 'ann@example.org',
    timestamp: 1_795_233_601,
    'smtp-id': '<receipt-77@shop.test>',
    sg_event_id: id,
    sg_message_id: 'hT3m0aXcQ9yqLkWvB2dE5g.recvd-7c9d6f4b58-x2x4q-1-6713F0A1-9.0',
    category: ['receipt'],
    ip: '192.0.2.25',
    tls: 1,
    posthorn_email_id: 'order-77',
    ...given,
  }
}

/** @param isForged whether another key signs it */
export function sendgridHeaders(body: Uint8Array, nowMs: number, isForged = false): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1_000))
  const signed = Buffer.concat([Buffer.from(timestamp), body])
  return {
    'x-twilio-email-event-webhook-timestamp': timestamp,
    'x-twilio-email-event-webhook-signature': sign(
      'sha256',
      signed,
      isForged ? other.privateKey : privateKey,
    ).toString('base64'),
  }
}
