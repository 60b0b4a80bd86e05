import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

const secretPrefix = 'whsec_'

/** The HMAC key of Standard Webhooks: the text after `whsec_`, decoded from base64. */
export function standardKey(secret: KeyObject): KeyObject {
  const text = secret.export().toString('latin1')
  return createSecretKey(text.slice(secretPrefix.length), 'base64')
}

/**
 * The headers of Standard Webhooks: name, value, …, the signatures last. Each key signs the id of the event, the time of this
 * attempt in seconds and the exact bytes of the body, with dots between them.
 */
export function standardWebhooksHeaders(
  keys: readonly KeyObject[],
  eventId: string,
  nowMs: number,
  body: Uint8Array,
): string[] {
  const timestamp = String(Math.floor(nowMs / 1_000))
  const signatures = keys.map(
    key => `v1,${createHmac('sha256', key).update(`${eventId}.${timestamp}.`).update(body).digest('base64')}`,
  )
  return [
    ['webhook-id', eventId],
    ['webhook-timestamp', timestamp],
    ['webhook-signature', signatures.join(' ')],
  ].flat()
}
