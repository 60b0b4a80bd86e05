import { bodyBytes, type RawBody } from './body-bytes.ts'
import { signedMessage } from './signed-message.ts'
import { webHmac } from './web-hmac.ts'

/** What to sign, and how. */
export interface SignatureInput {
  /** The whole secret; bytes for a key that other code derived from it. */
  readonly key: RawBody
  /** The signed text before the body: `t` as received, and a dot. */
  readonly before: string
  readonly body: RawBody
}

/**
 * Computes a signature, as lower-case hex. Another key or another text before the body gives what code with that mistake
 * signs. Do not verify with it, because it checks no time: use `verifyWebhook`.
 *
 * @example
 * const withoutTime = await computeSignature({ key: secret, before: '', body })
 */
export async function computeSignature({ key, before, body }: SignatureInput): Promise<string> {
  // Copied, because Web Crypto does not accept shared memory.
  return await webHmac(new Uint8Array(bodyBytes(key)))(signedMessage(before, bodyBytes(body)))
}
