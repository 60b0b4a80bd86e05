import { createSecretKey } from 'node:crypto'
import type { EndpointCheck } from '@posthorn/contract'
import type { Ctx, Exchange } from '../context.ts'
import { fillOutcome } from '../domain/decided-outcome.ts'
import { eventBody } from '../domain/event-body.ts'
import { headerNames } from '../domain/header-names.ts'
import { makeSigningSecret } from '../domain/signing-secret.ts'
import { typeId } from '../domain/type-id.ts'
import { newId } from '../new-id.ts'
import { type NamedKey, signatureHeader } from '../seal/signature-header.ts'
import { standardKey, standardWebhooksHeaders } from '../seal/standard-webhooks.ts'
import { type CheckProfile, readCheckProfile } from './check-profile.ts'
import { checkFindings, verifiesSignatures } from './check-findings.ts'
import { phasesOf } from './check-phases.ts'
import { testEmailId } from './send-test-event.ts'
import { takeCheck } from './take-check.ts'

/**
 * Checks an endpoint with two requests: one with a wrong signature, which it should refuse, and one with a valid signature,
 * which it should accept. Neither belongs to a delivery, so nothing is stored, retried or counted.
 */
export async function checkWebhook(ctx: Ctx, accountId: string, webhookId: string): Promise<EndpointCheck> {
  const profile = await readCheckProfile(ctx, accountId, webhookId)
  await takeCheck(ctx, accountId)
  const wrongSecret = createSecretKey(
    makeSigningSecret(length => ctx.random.bytes(length)),
    'utf8',
  )
  const wrong = await post(ctx, profile, [{ partName: 'v1', secret: wrongSecret }])
  // if the first request got no connection, the second will not get one either
  const right = isBeforeRequest(wrong) ? null : await post(ctx, profile, profile.keys)
  const findings = checkFindings(wrong, right, {
    nowMs: ctx.clock.nowMs(),
    timeoutMs: profile.attemptTimeoutMs,
  })
  return {
    ok: !findings.some(finding => finding.severity === 'critical'),
    verifies: verifiesSignatures(wrong, right),
    // the second request may reuse the connection of the first
    phases: right === null ? phasesOf(wrong) : phasesOf(right, wrong),
    findings,
  }
}

async function post(ctx: Ctx, profile: CheckProfile, keys: readonly NamedKey[]): Promise<Exchange> {
  const nowMs = ctx.clock.nowMs()
  const createdAt = new Date(nowMs).toISOString()
  const id = typeId('evt', newId(ctx))
  const data = { email_id: testEmailId(newId(ctx)), to: [probeAddress] }
  const type = 'email.delivered'
  const body = eventBody({ id, type, data: fillOutcome(type, data, createdAt), createdAt })
  const names = headerNames(ctx.settings.headerPrefix)
  return await ctx.outside.probe.post({
    url: profile.url,
    loopbackOrigin: profile.loopbackOrigin,
    timeoutMs: profile.attemptTimeoutMs,
    clientCertificate: profile.clientCertificate,
    headers: [
      'Content-Type',
      'application/json',
      names.signature,
      signatureHeader(keys, nowMs, body),
      names.eventId,
      id,
      'User-Agent',
      ctx.outside.probe.userAgent,
      'Accept-Encoding',
      'identity',
      ...(profile.isStandard
        ? standardWebhooksHeaders(
            keys.map(key => standardKey(key.secret)),
            id,
            nowMs,
            body,
          )
        : []),
      ...profile.extraHeaders,
    ],
    body,
  })
}

/** An address that cannot exist, because `.invalid` is reserved (RFC 6761). */
const probeAddress = 'probe@posthorn.invalid'

const codesBeforeRequest = new Set([
  'dns_failed',
  'address_refused',
  'connect_refused',
  'connect_timeout',
  'tls_failed',
  'tls_name_mismatch',
  'tls_expired',
])

function isBeforeRequest({ error }: Exchange): boolean {
  return error !== null && codesBeforeRequest.has(error.code)
}
