import { createSecretKey } from 'node:crypto'
import type { Delivery, Event } from '@posthorn/contract'
import { readHeaderNames } from '../config.ts'
import { eventBody } from '../domain/event-body.ts'
import { signatureHeader } from '../seal/signature-header.ts'
import { packageVersion } from '../version.ts'

/** How the receiver on this machine answered a delivery. */
export interface Forwarded {
  /** Null if there was no answer. */
  readonly status: number | null
  readonly milliseconds: number
  /** The signature parts that the receiver says it verified. */
  readonly verifiedBy: string | null
}

const answerTimeoutMs = 15_000

/** Posts a delivery as the service does, but signed with the secret of this session. */
export async function forwardDelivery(
  target: string,
  secret: string,
  delivery: Pick<Delivery, 'id' | 'sequence' | 'attempt_count'>,
  event: Event,
  stop: AbortSignal,
): Promise<Forwarded> {
  const body = eventBody({ ...event, createdAt: event.created_at })
  const names = readHeaderNames()
  const keys = [{ partName: 'v1', secret: createSecretKey(secret, 'utf8') }]
  const startedMs = performance.now()
  const milliseconds = (): number => Math.round(performance.now() - startedMs)
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': `Posthorn/${packageVersion()} listen`,
        [names.signature]: signatureHeader(keys, Date.now(), body),
        [names.eventId]: event.id,
        [names.deliveryId]: delivery.id,
        [names.attempt]: String(delivery.attempt_count + 1),
        [names.sequence]: String(delivery.sequence),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([stop, AbortSignal.timeout(answerTimeoutMs)]),
    })
    await response.body?.cancel()
    const verifiedBy = response.headers.get(names.verified)
    return { status: response.status, milliseconds: milliseconds(), verifiedBy }
  } catch {
    return { status: null, milliseconds: milliseconds(), verifiedBy: null }
  }
}
