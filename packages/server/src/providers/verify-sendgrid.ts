import { verify } from 'node:crypto'
import type { ProviderRequest, ProviderTools } from './provider.ts'
import { readPublicKey } from './public-key.ts'
import { wrongSignature, wrongTime } from './signature-error.ts'

/**
 * SendGrid signs the timestamp and the body with ECDSA.
 *
 * @param publicKey the verification key in the settings of the Event Webhook
 * @returns the list of events; null if the body is none
 */
export async function verifySendgrid(
  request: ProviderRequest,
  publicKey: string,
  { nowMs }: Pick<ProviderTools, 'nowMs'>,
): Promise<unknown> {
  const key = readPublicKey(publicKey, 'ec')
  const timestamp = request.header('x-twilio-email-event-webhook-timestamp')
  const signature = Buffer.from(request.header('x-twilio-email-event-webhook-signature'), 'base64')
  const signed = Buffer.concat([Buffer.from(timestamp), request.body])
  if (key === null || !/^\d{1,10}$/.test(timestamp) || !verify('sha256', signed, key, signature)) {
    throw wrongSignature('Check the verification key of the source.')
  }
  const ageMs = nowMs - Number(timestamp) * 1_000
  if (ageMs > ageMsMax || ageMs < -aheadMsMax) throw wrongTime()
  return await request.list()
}

/** SendGrid retries for 24 hours, possibly with the same timestamp. A request that comes again is a duplicate. */
const ageMsMax = 25 * 3_600_000
const aheadMsMax = 10 * 60_000
