import { attemptMessage } from '@posthorn/contract'
import type { Clock } from '../context.ts'
import type { OperatorTimings } from '../domain/endpoint-timings.ts'
import type { HeaderNames } from '../domain/header-names.ts'
import { requestRecord } from '../domain/request-record.ts'
import type { LeasedDelivery } from '../domain/leased-delivery.ts'
import { typeId } from '../domain/type-id.ts'
import type { BeginAttemptSpan } from './attempt-span.ts'
import { type Egress, type Exchange, failedExchange } from '../egress/egress.ts'
import { signatureHeader } from '../seal/signature-header.ts'
import { standardWebhooksHeaders } from '../seal/standard-webhooks.ts'
import type { ProfileCache } from './profile-cache.ts'
import type { Profile, SendingProfile } from './sending-profile.ts'
import type { Started } from './scheduler.ts'
import type { Attempt } from './settle.ts'

export interface AttemptOptions {
  egress: Egress
  profiles: ProfileCache
  clock: Clock
  newId: () => string
  userAgent: string
  headerNames: HeaderNames
  timings: OperatorTimings
  /** The number under which this process counts attempts. */
  processNumber: () => number
  /** Called right before sending: whether the lease lasts long enough. */
  mayStart: (delivery: LeasedDelivery) => boolean
  /** Ends attempts in flight once the process has drained long enough. */
  abort: AbortSignal
  /** Null if nobody records traces. */
  beginSpan: BeginAttemptSpan | null
  onError: (what: string, error: unknown) => void
}

/**
 * Makes one attempt: signs with the current keys and posts the stored bytes.
 * @returns null if nothing was sent: the claim is older than a second, the lease is about to end, the endpoint has changed, or
 *   its keys could not be loaded
 */
export function attempt(started: Started, options: AttemptOptions): Promise<Attempt | null> {
  const profile = options.profiles.get(started.delivery)
  // the profile is nearly always cached, and a promise would cost as much as signing
  return profile === undefined ? loadAndSend(started, options) : send(started, profile, options)
}

async function loadAndSend(started: Started, options: AttemptOptions): Promise<Attempt | null> {
  try {
    const profile = await options.profiles.load(started.delivery)
    return profile === undefined ? null : await send(started, profile, options)
  } catch (error) {
    options.onError('load endpoint', error)
    return null
  }
}

function send(
  { delivery, endpoint }: Started,
  profile: Profile,
  {
    clock,
    egress,
    newId,
    processNumber,
    mayStart,
    userAgent,
    headerNames,
    timings,
    abort,
    beginSpan,
  }: AttemptOptions,
): Promise<Attempt | null> {
  if (clock.monotonicMs() > delivery.startByMs || !mayStart(delivery)) return Promise.resolve(null)
  const facts = {
    id: newId(),
    processNumber: processNumber(),
    endpointWasFailing: endpoint.failuresInRow > 0,
  }
  if ('unreadable' in profile) {
    return Promise.resolve({
      ...facts,
      request: null,
      exchange: failedExchange({ code: 'unknown', message: attemptMessage('unknown', { reason }) }),
      verifiedKeyIds: [],
      retry: timings.retry,
      newCertificateExpiresAtMs: null,
      span: null,
    })
  }
  const span = beginSpan === null ? null : beginSpan(delivery, profile.url)
  // nothing waits between signing and the socket, so that the signature is as fresh as its timestamp says
  const nowMs = clock.nowMs()
  const signature = signatureHeader(profile.keys, nowMs, delivery.body)
  const headers = ownHeaders(headerNames, delivery, signature)
  const standardHeaders =
    profile.standardKeys === null
      ? null
      : standardWebhooksHeaders(profile.standardKeys, typeId('evt', delivery.eventId), nowMs, delivery.body)
  if (standardHeaders !== null) headers.push(...standardHeaders)
  const traceparent = profile.sendsTraceparent ? (span?.traceparent ?? delivery.traceparent) : null
  if (traceparent !== null) headers.push('traceparent', traceparent)
  const posted = egress.post({
    url: profile.url,
    loopbackOrigin: profile.loopbackOrigin,
    commonHeaders: profile.commonHeaders,
    headers,
    body: delivery.body,
    signal: abort,
    timeoutMs: profile.attemptTimeoutMs,
    clientCertificate: profile.clientCertificate,
  })
  return posted.then(exchange => {
    span?.ended(exchange)
    return {
      ...facts,
      request: requestRecord(
        headerNames,
        { signature, standardSignature: standardHeaders?.at(-1) },
        userAgent,
        traceparent === null ? profile.extraHeaderNames : `${profile.extraHeaderNames}\ntraceparent`,
      ),
      exchange,
      verifiedKeyIds: verifiedKeyIds(profile, exchange),
      retry: profile.retry,
      newCertificateExpiresAtMs: newCertificateExpiry(profile, exchange),
      span,
    }
  })
}

/** The headers of decisions §5 that differ between attempts. */
function ownHeaders(names: HeaderNames, delivery: LeasedDelivery, signature: string): string[] {
  return [
    [names.signature, signature],
    [names.eventId, typeId('evt', delivery.eventId)],
    [names.deliveryId, typeId('dlv', delivery.deliveryId)],
    [names.attempt, String(delivery.attemptCount + 1)],
    [names.sequence, String(delivery.sequence)],
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

/** Why an attempt at an `UnreadableProfile` fails: no request is better than an unsigned one. */
const reason =
  'we could not read this endpoint’s sealed secrets and sent nothing; the operator must check the master keys'
