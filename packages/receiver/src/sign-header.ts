import { bodyBytes, type RawBody } from './body-bytes.ts'
import { checkSecrets } from './check-secrets.ts'
import { signedMessage, utf8 } from './signed-message.ts'
import { webHmac } from './web-hmac.ts'

/** What is signed, with which secrets, and when. */
export interface SignOptions {
  readonly body: RawBody
  /** The primary secret first, which signs as `v1`, then staged ones, which sign as `v1s` and `v1s2`. */
  readonly secrets: string | readonly string[]
  /** Unix seconds, default now. */
  readonly timestamp?: number | undefined
}

/**
 * Creates the value of `X-Service-Signature`, as the service sends it.
 *
 * @example
 * const header = await signHeader({ body, secrets: secret })
 */
export async function signHeader(options: SignOptions): Promise<string> {
  const { timestamp = Math.floor(Date.now() / 1000) } = options
  const message = signedMessage(`${timestamp}.`, bodyBytes(options.body))
  const macs = await Promise.all(
    checkSecrets(options.secrets).map(async secret => await webHmac(utf8(secret))(message)),
  )
  return [`t=${timestamp}`, ...macs.map((mac, i) => `${partName(i)}=${mac}`)].join(',')
}

function partName(index: number): string {
  if (index === 0) return 'v1'
  return index === 1 ? 'v1s' : `v1s${index}`
}
