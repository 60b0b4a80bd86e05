import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ProviderRequest, ProviderTools } from './provider.ts'
import { wrongSignature, wrongTime } from './signature-error.ts'

/**
 * Resend signs as Standard Webhooks describes it: HMAC over id, timestamp and body.
 *
 * @param secret `whsec_…`
 * @returns the event with its id, which stays the same when Resend retries
 */
export async function verifyResend(
  request: ProviderRequest,
  secret: string,
  { nowMs }: Pick<ProviderTools, 'nowMs'>,
): Promise<{ id: string; event: unknown }> {
  const key = readWebhookSecret(secret)
  const prefix = request.header('svix-id') === '' ? 'webhook' : 'svix'
  const id = request.header(`${prefix}-id`)
  const timestamp = request.header(`${prefix}-timestamp`)
  const expected = createHmac('sha256', key ?? '')
    .update(`${id}.${timestamp}.`)
    .update(request.body)
    .digest()
  const isGenuine = request
    .header(`${prefix}-signature`)
    .split(' ')
    .some(one => one.startsWith('v1,') && isEqual(Buffer.from(one.slice('v1,'.length), 'base64'), expected))
  if (key === null || !isGenuine || id === '' || !/^\d{1,10}$/.test(timestamp)) {
    throw wrongSignature('Check the signing secret of the source.')
  }
  if (Math.abs(nowMs - Number(timestamp) * 1_000) > toleranceMs) throw wrongTime()
  return await Promise.resolve({ id, event: request.json() })
}

/** The bytes of a secret; null if it is not one. */
export function readWebhookSecret(secret: string): Buffer | null {
  const [, base64 = ''] = /^whsec_([\w+/-]{16,}=*)$/.exec(secret) ?? []
  return base64 === '' ? null : Buffer.from(base64, 'base64')
}

/** Resend signs again when it retries. */
const toleranceMs = 300_000

function isEqual(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}
