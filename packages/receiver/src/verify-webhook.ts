import type { RawBody } from './body-bytes.ts'
import type { VerifierOptions } from './check-options.ts'
import { createVerifier } from './create-verifier.ts'
import type { WebhookEvent } from './events.ts'
import type { HeaderInput } from './header-line.ts'

/**
 * Verifies one webhook and returns its event, or throws. Most receivers need only this function.
 *
 * @example
 * const event = await verifyWebhook(await request.arrayBuffer(), request.headers, secret)
 * if (event.type === 'email.bounced') await suppress(event.data.recipient)
 */
export async function verifyWebhook(
  body: RawBody,
  header: HeaderInput,
  secrets: string | readonly string[],
  options: Pick<VerifierOptions, 'toleranceSeconds'> = {},
): Promise<WebhookEvent> {
  return await createVerifier({ ...options, secrets }).constructEvent(body, header)
}
