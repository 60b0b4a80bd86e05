import type { KeyObject } from 'node:crypto'
import { plainColumns } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import type { RetryPolicy } from '../domain/backoff.ts'
import { type EndpointTimings, type OperatorTimings, timingsInForce } from '../domain/endpoint-timings.ts'
import type { ClientCertificate } from '../egress/egress.ts'
import { openClientCertificate } from '../seal/client-certificate.ts'
import { openRequestHeaders } from '../seal/request-headers.ts'
import type { Seal } from '../seal/seal.ts'
import type { NamedKey } from '../seal/signature-header.ts'
import { standardKey } from '../seal/standard-webhooks.ts'
import { openSigningSecret } from '../seal/signing-secret.ts'

/** What an attempt needs to know of its endpoint, at one version. */
export interface SendingProfile {
  version: number
  url: string
  /** The loopback origin that the operator permitted for this endpoint, if any. */
  loopbackOrigin: string | null
  /** The headers of decisions §5 that never change, then the customer's, which cannot override them: name, value, … */
  commonHeaders: readonly string[]
  /** The names of the customer's headers, one per line, as the attempt log keeps them. */
  extraHeaderNames: string
  /** Whether attempts carry a `traceparent`. */
  sendsTraceparent: boolean
  /** From the receiver's last certificate, as far as this process knows. */
  certificateExpiresAtMs: number | null
  /** In the order of the signature header: the primary, then the staged keys, oldest first. */
  keys: SigningKey[]
  /** The same secrets as Standard Webhooks uses them; null if the endpoint does not want its headers. */
  standardKeys: KeyObject[] | null
  retry: RetryPolicy
  attemptTimeoutMs: number
  clientCertificate: ClientCertificate | null
}

interface SigningKey extends NamedKey {
  readonly keyId: string
}

/** An endpoint whose sealed rows cannot be opened: its attempts fail, and no others. */
interface UnreadableProfile {
  version: number
  unreadable: string
}

export type Profile = SendingProfile | UnreadableProfile

export interface ProfileOptions {
  readonly seal: Seal
  readonly userAgent: string
  readonly timings: OperatorTimings
}

/** Loads the profiles of the given endpoints in one statement, so that each is of one version. */
export async function loadProfiles(
  db: Queryable,
  options: ProfileOptions,
  endpoints: ReadonlyArray<{ accountId: string; endpointId: string }>,
): Promise<Map<string, Profile>> {
  const values = plainColumns(endpoints, 'accountId', 'endpointId')
  const rows = await db.query<ProfileRow>(profileStatement, values)
  const profiles = new Map<string, Profile>()
  for (const row of rows) profiles.set(row.endpoint_id, openProfile(options, row))
  return profiles
}

interface ProfileRow extends EndpointTimings {
  account_id: string
  endpoint_id: string
  version: number
  url: string
  loopback_origin: string | null
  headers_sealed: Uint8Array | null
  standard_webhooks: boolean
  client_certificate: string | null
  client_key_sealed: Uint8Array | null
  certificate_expires_at: Date | null
  send_traceparent: boolean
  key_ids: string[]
  secrets: string[]
}

const partNames = ['v1', 'v1s', 'v1s2']

function openProfile({ seal, userAgent, timings }: ProfileOptions, row: ProfileRow): Profile {
  const ids = { accountId: row.account_id, endpointId: row.endpoint_id }
  try {
    const extraHeaders = openRequestHeaders(seal, ids, row.headers_sealed)
    const keys = row.key_ids.map((keyId, position) => ({
      keyId,
      partName: partNames[position] ?? `v1s${position}`,
      secret: openSigningSecret(seal, { ...ids, keyId }, Buffer.from(row.secrets[position] ?? '', 'hex')),
    }))
    return {
      version: row.version,
      url: row.url,
      loopbackOrigin: row.loopback_origin,
      commonHeaders: [
        ['Content-Type', 'application/json'],
        ['User-Agent', userAgent],
        ['Accept-Encoding', 'identity'],
        ...extraHeaders,
      ].flat(),
      extraHeaderNames: [...extraHeaders.keys()].join('\n'),
      // the customer may have chosen a constant value
      sendsTraceparent: row.send_traceparent && !extraHeaders.has('traceparent'),
      certificateExpiresAtMs: row.certificate_expires_at?.getTime() ?? null,
      ...timingsInForce(row, timings),
      clientCertificate: openClientCertificate(seal, ids, row),
      keys,
      standardKeys: row.standard_webhooks ? keys.map(key => standardKey(key.secret)) : null,
    }
  } catch (error) {
    return { version: row.version, unreadable: error instanceof Error ? error.message : String(error) }
  }
}

const profileStatement = {
  name: 'sending-profile',
  // one statement, so that endpoint and keys are from one snapshot: each change of either raises the version
  text: `
select e.account_id, e.id as endpoint_id, e.version, e.url, e.loopback_origin, e.headers_sealed, e.standard_webhooks,
  e.retry_base_seconds, e.retry_cap_seconds, e.attempt_timeout_seconds, e.client_certificate, e.client_key_sealed,
  e.certificate_expires_at,
  coalesce(bool_or(a.send_traceparent), false) as send_traceparent,
  array_agg(k.id order by k.state <> 'primary', k.id) as key_ids,
  array_agg(encode(k.secret_sealed, 'hex') order by k.state <> 'primary', k.id) as secrets
from unnest($1::uuid[], $2::uuid[]) as wanted (account_id, id)
join endpoint e on e.account_id = wanted.account_id and e.id = wanted.id
  and e.status = 'enabled' and e.deleted_at is null
left join account a on a.id = e.account_id
join signing_key k on k.account_id = e.account_id and k.endpoint_id = e.id and k.state in ('primary', 'staged')
group by e.account_id, e.id`,
}
