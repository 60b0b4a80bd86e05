import { attemptMessage } from '@posthorn/contract'
import type { Clock } from '../context.ts'
import { requestRecord } from '../domain/request-record.ts'
import type { LeasedDelivery } from '../domain/leased-delivery.ts'
import { typeId } from '../domain/type-id.ts'
import { type Egress, type Exchange, failedExchange } from '../egress/egress.ts'
import { signatureHeader } from '../seal/signature-header.ts'
import type { ProfileCache } from './profile-cache.ts'
import type { SendingProfile, UnreadableProfile } from './sending-profile.ts'
import type { Attempt } from './settle.ts'

export interface AttemptOptions {
  egress: Egress
  profiles: ProfileCache
  clock: Clock
  newId: () => string
  userAgent: string
  /** The number under which this process counts attempts. */
  processNumber: () => number
  /** Called right before sending: whether the lease lasts long enough. */
  mayStart: (delivery: LeasedDelivery) => boolean
  /** Ends attempts in flight once the process has drained long enough. */
  abort: AbortSignal
  onError: (what: string, error: unknown) => void
}

/** An attempt, without what the process knew of its endpoint before. */
export type MadeAttempt = Omit<Attempt, 'endpointWasFailing'>

/**
 * Makes one attempt: signs with the current keys and posts the stored bytes.
 * @returns null if nothing was sent: the claim is older than a second, the lease is about to end, the endpoint has changed, or
 *   its keys could not be loaded
 */
export function attempt(delivery: LeasedDelivery, options: AttemptOptions): Promise<MadeAttempt | null> {
  const profile = options.profiles.get(delivery)
  // the profile is nearly always cached, and a promise would cost as much as signing
  return profile === undefined ? loadAndSend(delivery, options) : send(delivery, profile, options)
}

async function loadAndSend(delivery: LeasedDelivery, options: AttemptOptions): Promise<MadeAttempt | null> {
  try {
    const profile = await options.profiles.load(delivery)
    return profile === undefined ? null : await send(delivery, profile, options)
  } catch (error) {
    options.onError('load endpoint', error)
    return null
  }
}

function send(
  delivery: LeasedDelivery,
  profile: SendingProfile | UnreadableProfile,
  { clock, egress, newId, processNumber, mayStart, userAgent, abort }: AttemptOptions,
): Promise<MadeAttempt | null> {
  if (clock.monotonicMs() > delivery.startByMs || !mayStart(delivery)) return Promise.resolve(null)
  const made = { id: newId(), processNumber: processNumber() }
  if ('unreadable' in profile) {
    return Promise.resolve({
      ...made,
      request: null,
      exchange: failedClosed(),
      verifiedKeyIds: [],
      newCertificateExpiresAtMs: null,
    })
  }
  // nothing waits between signing and the socket, so that the signature is as fresh as its timestamp says
  const signature = signatureHeader(profile.keys, clock.nowMs(), delivery.body)
  const posted = egress.post({
    url: profile.url,
    loopbackOrigin: profile.loopbackOrigin,
    commonHeaders: profile.commonHeaders,
    headers: ownHeaders(delivery, signature),
    body: delivery.body,
    signal: abort,
  })
  return posted.then(exchange => ({
    ...made,
    request: requestRecord(signature, userAgent, profile.extraHeaderNames),
    exchange,
    verifiedKeyIds: verifiedKeyIds(profile, exchange),
    newCertificateExpiresAtMs: newCertificateExpiry(profile, exchange),
  }))
}

/** The headers of decisions §5 that differ between attempts. */
function ownHeaders(delivery: LeasedDelivery, signature: string): string[] {
  return [
    ['X-Service-Signature', signature],
    ['X-Service-Event-Id', typeId('evt', delivery.eventId)],
    ['X-Service-Delivery-Id', typeId('dlv', delivery.deliveryId)],
    ['X-Service-Attempt', String(delivery.attemptCount + 1)],
    ['X-Service-Sequence', String(delivery.sequence)],
  ].flat()
}

/** `X-Service-Verified: v1,v1s` names the signature parts that the receiver accepted (decisions §4, receiver proof). */
function verifiedKeyIds(profile: SendingProfile, exchange: Exchange): string[] {
  if (exchange.verifiedParts === null || exchange.outcome === 'failure') return []
  const names = new Set(exchange.verifiedParts.split(',').map(name => name.trim()))
  return profile.keys.filter(key => names.has(key.partName)).map(key => key.keyId)
}

/** Returns an expiry date once; after that the profile knows it, and the database as soon as the attempt is settled. */
function newCertificateExpiry(profile: SendingProfile, { certificate }: Exchange): number | null {
  const expiresAtMs = certificate?.validUntilMs ?? null
  if (expiresAtMs === null || expiresAtMs === profile.certificateExpiresAtMs) return null
  profile.certificateExpiresAtMs = expiresAtMs
  return expiresAtMs
}

const reason =
  'we could not read this endpoint’s sealed secrets and sent nothing; the operator must check the master keys'

/** The result if the endpoint's sealed secrets or headers cannot be opened: no request is better than an unsigned one. */
function failedClosed(): Exchange {
  return failedExchange({ code: 'unknown', message: attemptMessage('unknown', { reason }) })
}
