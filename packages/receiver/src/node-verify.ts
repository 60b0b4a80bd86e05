import { bodyBytes, type RawBody } from './body-bytes.ts'
import { checkOptions, type VerifierOptions } from './check-options.ts'
import type { WebhookEvent } from './events.ts'
import { type HeaderInput, headerLine } from './header-line.ts'
import { judge, type Verified } from './judge.ts'
import { nodeHmac } from './node-hmac.ts'
import { parseEvent } from './parse-event.ts'
import { parseSignatureHeader } from './parse-header.ts'

/**
 * The synchronous version of `verify`, with `node:crypto`.
 *
 * @example
 * const { timestamp } = verifySync(rawBody, request.headers, { secrets: secret })
 */
export function verifySync(body: RawBody, header: HeaderInput, options: VerifierOptions): Verified {
  const checked = checkOptions(options)
  const parsed = parseSignatureHeader(headerLine(header, checked.headerName), checked.headerName)
  return judge(parsed, nodeHmac(checked.secrets, parsed.timestampText, bodyBytes(body)), checked)
}

/**
 * The synchronous version of `constructEvent`, with `node:crypto`.
 *
 * @example
 * const event = constructEventSync(rawBody, request.headers, { secrets: secret })
 */
export function constructEventSync<E extends { id: string; type: string } = WebhookEvent>(
  body: RawBody,
  header: HeaderInput,
  options: VerifierOptions,
): E {
  verifySync(body, header, options)
  return parseEvent<E>(bodyBytes(body))
}
