import { generateKeyPairSync, sign } from 'node:crypto'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const other = generateKeyPairSync('rsa', { modulusLength: 2_048 })

/** `postal default-dkim-record` prints the key as a DKIM record. */
export const postalKey = `v=DKIM1; t=s; h=sha256; p=${publicKey.export({ format: 'der', type: 'spki' }).toString('base64')};`
export const postalPem = publicKey.export({ format: 'pem', type: 'spki' }).toString()

let events = 0

/** An event in the format of Postal's webhooks. */
export function postalEvent(event: string, payload: object = {}, message: object = {}): object {
  const about = {
    id: 40_977,
    token: 'q8LwZb3RkT0v',
    direction: 'outgoing',
    message_id: '1f0c8d9e-77aa-4c55-9a3b-6b1b1f0f4d21@rp.postal.test',
    to: 'ann@example.org',
    from: 'shop@shop.test',
    subject: 'Your receipt',
    timestamp: 1_795_233_599.5,
    spam_status: 'NotChecked',
    tag: 'posthorn_email_id=order-77',
    ...message,
  }
  return {
    event,
    timestamp: 1_795_233_601.25,
    payload: {
      ...(event === 'MessageBounced' ? { original_message: about } : { message: about }),
      timestamp: 1_795_233_601,
      ...payload,
    },
    uuid: `7d9f3a1c-0b52-4f6e-8e1d-${String(++events).padStart(12, '0')}`,
  }
}

/**
 * The headers of Postal 3; versions before it sent only the first.
 *
 * @param isForged whether another key signs it
 */
export function postalHeaders(body: Uint8Array, isForged = false): Record<string, string> {
  const key = isForged ? other.privateKey : privateKey
  return {
    'x-postal-signature': sign('sha1', body, key).toString('base64'),
    'x-postal-signature-256': sign('sha256', body, key).toString('base64'),
    'x-postal-signature-kid': 'b4e0c2a7'.repeat(8),
  }
}
