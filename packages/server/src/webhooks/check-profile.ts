import type { ClientCertificate, Ctx } from '../context.ts'
import { type EndpointTimings, timingsInForce } from '../domain/endpoint-timings.ts'
import { openClientCertificate } from '../seal/client-certificate.ts'
import { openRequestHeaders } from '../seal/request-headers.ts'
import type { NamedKey } from '../seal/signature-header.ts'
import { openSigningSecret } from '../seal/signing-secret.ts'
import { webhookNotFound } from './webhook-not-found.ts'

/** The data of an endpoint that a check needs. */
export interface CheckProfile {
  url: string
  /** The loopback origin that the operator permitted for it. */
  loopbackOrigin: string | null
  /** Names and values in turn. */
  extraHeaders: string[]
  keys: NamedKey[]
  /** Whether it gets the headers of Standard Webhooks. */
  isStandard: boolean
  attemptTimeoutMs: number
  clientCertificate: ClientCertificate | null
}

/** Reads the current endpoint, also if it is disabled, so that its owner can check it before enabling it. */
export async function readCheckProfile(
  ctx: Ctx,
  accountId: string,
  endpointId: string,
): Promise<CheckProfile> {
  const rows = await ctx.db.query<ProfileRow>(
    `select e.url, e.loopback_origin, e.headers_sealed, e.standard_webhooks,
       e.retry_base_seconds, e.retry_cap_seconds, e.attempt_timeout_seconds,
       e.client_certificate, e.client_key_sealed, k.id as key_id, k.secret_sealed
     from endpoint e
     join signing_key k on k.account_id = e.account_id and k.endpoint_id = e.id and k.state in ('primary', 'staged')
     where e.account_id = $1 and e.id = $2 and e.kind = 'events' and e.deleted_at is null
     order by k.state <> 'primary', k.id`,
    [accountId, endpointId],
  )
  const [first] = rows
  if (first === undefined) throw webhookNotFound()
  const ids = { accountId, endpointId }
  return {
    url: first.url,
    loopbackOrigin: first.loopback_origin,
    extraHeaders: [...openRequestHeaders(ctx.seal, ids, first.headers_sealed)].flat(),
    isStandard: first.standard_webhooks,
    attemptTimeoutMs: timingsInForce(first, ctx.settings.timings).attemptTimeoutMs,
    clientCertificate: openClientCertificate(ctx.seal, ids, first),
    keys: rows.map((row, position) => ({
      partName: partNames[position] ?? `v1s${position}`,
      secret: openSigningSecret(ctx.seal, { ...ids, keyId: row.key_id }, row.secret_sealed),
    })),
  }
}

interface ProfileRow extends EndpointTimings {
  url: string
  loopback_origin: string | null
  headers_sealed: Uint8Array | null
  standard_webhooks: boolean
  client_certificate: string | null
  client_key_sealed: Uint8Array | null
  key_id: string
  secret_sealed: Uint8Array
}

const partNames = ['v1', 'v1s', 'v1s2']
