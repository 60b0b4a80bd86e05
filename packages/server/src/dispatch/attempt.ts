import { attemptMessage } from '@posthorn/contract'
import type { Clock } from '../context.ts'
import { requestRecord } from '../domain/request-record.ts'
import type { LeasedDelivery } from '../domain/leased-delivery.ts'
import { typeId } from '../domain/type-id.ts'
import type { Egress, Exchange } from '../egress/egress.ts'
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
  /** Under which number this process counts its attempts now. */
  processNumber: () => number
  /** Asked when it is about to be sent: whether the lease under which it is held lasts. */
  mayStart: (delivery: LeasedDelivery) => boolean
  /** Ends what is under way when the process has drained long enough. */
  abort: AbortSignal
  onError: (what: string, error: unknown) => void
}

/** An attempt without what is known of its endpoint before it. */
export type MadeAttempt = Omit<Attempt, 'endpointWasFailing'>

/**
 * Makes one attempt: signs with the keys as they are now and posts the stored bytes. Null when it may not be started
 * any more, because a second has passed since it was claimed, its lease is about to end, the endpoint has changed, or its
 * keys cannot be loaded, which `onError` hears: nothing was sent.
 */
export function attempt(delivery: LeasedDelivery, options: AttemptOptions): Promise<MadeAttempt | null> {
  const profile = options.profiles.get(delivery)
  // nearly always there, and to wait for it costs as much as to sign
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
  // from here to the socket nothing waits: what is signed now is sent now
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

/** The headers of decisions §5 that are this attempt's own. */
function ownHeaders(delivery: LeasedDelivery, signature: string): string[] {
  return [
    'X-Service-Signature',
    signature,
    'X-Service-Event-Id',
    typeId('evt', delivery.eventId),
    'X-Service-Delivery-Id',
    typeId('dlv', delivery.deliveryId),
    'X-Service-Attempt',
    String(delivery.attemptCount + 1),
    'X-Service-Sequence',
    String(delivery.sequence),
  ]
}

/** The receiver's `X-Service-Verified: v1,v1s` names the parts it accepted (decisions §4, receiver proof). */
function verifiedKeyIds(profile: SendingProfile, exchange: Exchange): string[] {
  if (exchange.verifiedParts === null || exchange.outcome === 'failure') return []
  const names = new Set(exchange.verifiedParts.split(',').map(name => name.trim()))
  return profile.keys.filter(key => names.has(key.partName)).map(key => key.keyId)
}

/** Told once: from then on the profile knows it, and so does the database when the attempt is settled. */
function newCertificateExpiry(profile: SendingProfile, { certificate }: Exchange): number | null {
  const expiresAtMs = certificate?.validUntilMs ?? null
  if (expiresAtMs === null || expiresAtMs === profile.certificateExpiresAtMs) return null
  profile.certificateExpiresAtMs = expiresAtMs
  return expiresAtMs
}

const sealedShut =
  'we could not read this endpoint’s sealed secrets and sent nothing; the operator must check the master keys'

/** The endpoint's sealed secret or headers do not open: better no request than an unsigned one. */
function failedClosed(): Exchange {
  return {
    outcome: 'failure',
    statusCode: null,
    error: { code: 'unknown', message: attemptMessage('unknown', { reason: sealedShut }) },
    phases: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null },
    certificate: null,
    durationMs: 0,
    responseHeaders: null,
    responseBody: null,
    responseTruncated: false,
    retryAfter: null,
    verifiedParts: null,
  }
}
