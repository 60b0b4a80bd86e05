import type { EventType, Webhook, WebhookUpdate } from '@posthorn/contract'
import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import type { EndpointTimings } from '../domain/endpoint-timings.ts'
import { sealClientKey } from '../seal/client-certificate.ts'
import { keysOfFilter } from '../events/filter-keys.ts'
import { openRequestHeaders, sealRequestHeaders } from '../seal/request-headers.ts'
import { allowedDomains } from './allowed-domains.ts'
import { allowedUrl } from './allowed-url.ts'
import { checkTimings, namedTimings } from './check-timings.ts'
import { getWebhook } from './get-webhook.ts'
import { checkHeaderChanges, type HeaderChanges, mergeHeaders } from './merge-headers.ts'
import { readClientCertificate } from './read-client-certificate.ts'
import { webhookNotFound } from './webhook-not-found.ts'

/**
 * Changes only the given fields. Processes that send notice the new version, so that nothing is sent with the old settings
 * after the change. Enabling sends the backlog at a limited rate.
 */
export async function updateWebhook(
  ctx: Ctx,
  accountId: string,
  webhookId: string,
  input: WebhookUpdate,
): Promise<Webhook> {
  checkHeaderChanges(input.headers ?? {}, ctx.settings.headerPrefix)
  checkTimings(ctx, input)
  const client =
    input.client_certificate && readClientCertificate(input.client_certificate, ctx.clock.nowMs())

  const webhook = await ctx.db.transaction(async tx => {
    const before = await lockSettings(tx, accountId, webhookId)
    const shownBefore = await getWebhook({ db: tx }, accountId, webhookId)
    const url = input.url === undefined ? undefined : keptOrAllowedUrl(ctx, before, input.url)
    const sendingDomains = input.sending_domains && allowedDomains(input.sending_domains)
    const after = changeSettings(before, { ...input, url }, sendingDomains)
    if (input.headers !== undefined) changeHeaders(ctx, { accountId, webhookId }, after, input.headers)
    if (client !== undefined) changeClientCertificate(ctx, { accountId, webhookId }, after, client)
    await storeSettings(tx, accountId, webhookId, before, after)
    const shown = await getWebhook({ db: tx }, accountId, webhookId)
    const change = { action: 'webhook.updated', target: shown.id, before: shownBefore, after: shown } as const
    await recordChange({ ...ctx, db: tx }, { accountId, ...change })
    return shown
  })
  if (input.enabled === true || input.rate_limit_per_second !== undefined) ctx.outside.wakeDispatchers()
  return webhook
}

/** Accepts the current loopback URL, which the operator permitted. Any other URL must follow the policy. */
function keptOrAllowedUrl(ctx: Ctx, before: Settings, url: string): string {
  return before.loopback_origin !== null && url === before.url ? url : allowedUrl(ctx, url)
}

interface Settings extends EndpointTimings {
  url: string
  loopback_origin: string | null
  events: EventType[]
  description: string
  status: Webhook['status']
  disabled_reason: Webhook['disabled_reason']
  header_names: string[]
  headers_sealed: Uint8Array | null
  rate_limit_per_second: number | null
  standard_webhooks: boolean
  client_certificate: string | null
  client_key_sealed: Uint8Array | null
  tags: readonly string[]
  sending_domains: readonly string[]
}

/** Takes the same lock as accept and settle, so that the settings cannot change before they are written. */
async function lockSettings(tx: Queryable, accountId: string, webhookId: string): Promise<Settings> {
  const [row] = await tx.query<Settings>(
    `select url, loopback_origin, events::text[] as events, description, status, disabled_reason, header_names, headers_sealed,
            rate_limit_per_second, standard_webhooks, retry_base_seconds, retry_cap_seconds, attempt_timeout_seconds,
            client_certificate, client_key_sealed, tags, sending_domains
     from endpoint where account_id = $1 and id = $2 and kind = 'events' and deleted_at is null
     for no key update`,
    [accountId, webhookId],
  )
  if (row === undefined) throw webhookNotFound()
  return row
}

/** Disabling an endpoint that is already disabled keeps the old reason. */
function changeSettings(
  before: Settings,
  named: WebhookUpdate,
  sendingDomains: readonly string[] | undefined,
): Settings {
  const after = { ...before, ...namedTimings(named) }
  if (named.url !== undefined) after.url = named.url
  if (named.events !== undefined) after.events = named.events
  if (named.description !== undefined) after.description = named.description
  if (named.rate_limit_per_second !== undefined) after.rate_limit_per_second = named.rate_limit_per_second
  if (named.standard_webhooks !== undefined) after.standard_webhooks = named.standard_webhooks
  if (named.tags !== undefined) after.tags = named.tags
  if (sendingDomains !== undefined) after.sending_domains = sendingDomains
  if (named.enabled === true) Object.assign(after, { status: 'enabled', disabled_reason: null })
  if (named.enabled === false && before.status === 'enabled') {
    Object.assign(after, { status: 'disabled', disabled_reason: 'manual' })
  }
  return after
}

function changeHeaders(
  ctx: Ctx,
  ids: { accountId: string; webhookId: string },
  settings: Settings,
  changes: HeaderChanges,
): void {
  const place = { accountId: ids.accountId, endpointId: ids.webhookId }
  const headers = mergeHeaders(openRequestHeaders(ctx.seal, place, settings.headers_sealed), changes)
  settings.header_names = [...headers.keys()]
  settings.headers_sealed = sealRequestHeaders(ctx.seal, place, headers)
}

function changeClientCertificate(
  ctx: Ctx,
  ids: { accountId: string; webhookId: string },
  settings: Settings,
  client: { certificate: string; privateKey: string } | null,
): void {
  const place = { accountId: ids.accountId, endpointId: ids.webhookId }
  settings.client_certificate = client?.certificate ?? null
  settings.client_key_sealed = client === null ? null : sealClientKey(ctx.seal, place, client.privateKey)
}

async function storeSettings(
  tx: Queryable,
  accountId: string,
  webhookId: string,
  before: Settings,
  after: Settings,
): Promise<void> {
  const filter = { tags: after.tags, sendingDomains: after.sending_domains }
  const { tagKeys, domainKeys } = keysOfFilter(accountId, filter)
  await tx.query(
    // checks queue_due for one row, to see whether there is a backlog
    `update endpoint e
     set url = $3, loopback_origin = case when url = $3 then loopback_origin end, events = $4::event_type[], description = $5, status = $6, disabled_reason = $7,
         header_names = $8, headers_sealed = $9, rate_limit_per_second = $10, standard_webhooks = $14,
         retry_base_seconds = $15, retry_cap_seconds = $16, attempt_timeout_seconds = $17,
         client_certificate = $18, client_key_sealed = $19,
         version = version + $11::integer,
         tags = $20, tag_keys = $21, sending_domains = $22, sending_domain_keys = $23,
         certificate_expires_at = case when $13 then null else certificate_expires_at end,
         failures_in_row = case when $12 then 0 else failures_in_row end,
         failing_since = case when $12 then null else failing_since end,
         exhausted_since = case when $12 then null else exhausted_since end,
         last_error_code = case when $12 then null else last_error_code end,
         warned_exhausted_at = case when $12 then null else warned_exhausted_at end,
         warned_half_time_at = case when $12 then null else warned_half_time_at end,
         disabled_told_at = case when $12 then null else disabled_told_at end,
         draining_since = case when $12 then (
           select now() where exists (
             select from queue q where q.endpoint_id = e.id and q.process is null)
         ) else draining_since end,
         updated_at = now()
     where account_id = $1 and id = $2`,
    [
      accountId,
      webhookId,
      after.url,
      after.events,
      after.description,
      after.status,
      after.disabled_reason,
      after.header_names,
      after.headers_sealed,
      after.rate_limit_per_second,
      concernsSenders(before, after) ? 1 : 0,
      before.status === 'disabled' && after.status === 'enabled',
      new URL(before.url).origin !== new URL(after.url).origin,
      after.standard_webhooks,
      after.retry_base_seconds,
      after.retry_cap_seconds,
      after.attempt_timeout_seconds,
      after.client_certificate,
      after.client_key_sealed,
      after.tags,
      tagKeys,
      after.sending_domains,
      domainKeys,
    ],
  )
}

/** Headers and a client certificate in the request always count as changed, because encrypting them again gives different bytes. */
function concernsSenders(before: Settings, after: Settings): boolean {
  return (
    before.url !== after.url ||
    before.status !== after.status ||
    before.headers_sealed !== after.headers_sealed ||
    before.rate_limit_per_second !== after.rate_limit_per_second ||
    before.standard_webhooks !== after.standard_webhooks ||
    before.retry_base_seconds !== after.retry_base_seconds ||
    before.retry_cap_seconds !== after.retry_cap_seconds ||
    before.attempt_timeout_seconds !== after.attempt_timeout_seconds ||
    before.client_key_sealed !== after.client_key_sealed
  )
}
