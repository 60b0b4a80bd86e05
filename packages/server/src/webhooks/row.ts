import type { EventType, Webhook } from '@posthorn/contract'
import type { EndpointTimings } from '../domain/endpoint-timings.ts'
import { typeId } from '../domain/type-id.ts'
import { describeClientCertificate } from './read-client-certificate.ts'

export interface WebhookRow extends EndpointTimings {
  client_certificate: string | null
  id: string
  url: string
  events: EventType[]
  description: string
  status: Webhook['status']
  disabled_reason: Webhook['disabled_reason']
  header_names: string[]
  rate_limit_per_second: number | null
  standard_webhooks: boolean
  tags: string[]
  sending_domains: string[]
  created_at: Date
  updated_at: Date
  secret_prefix: string
}

/** Columns of `endpoint e`. The unique index on primary keys makes the subquery fast. */
export const webhookColumns = `e.id, e.url, e.events::text[] as events, e.description,
  case e.status when 'moving' then 'enabled' else e.status end as status, e.disabled_reason, e.header_names, e.rate_limit_per_second,
  e.standard_webhooks, e.retry_base_seconds, e.retry_cap_seconds, e.attempt_timeout_seconds, e.client_certificate,
  e.tags, e.sending_domains, e.created_at, e.updated_at,
  (select k.secret_prefix from signing_key k
   where k.account_id = e.account_id and k.endpoint_id = e.id and k.state = 'primary') as secret_prefix`

/** Replaces a header's value in answers; in a PATCH, it keeps the value. */
export const hiddenValue = '***'

/** An endpoint as the API shows it. */
export function toWebhook(row: WebhookRow): Webhook {
  return {
    id: typeId('wh', row.id),
    url: row.url,
    events: row.events,
    description: row.description,
    status: row.status,
    disabled_reason: row.disabled_reason,
    secret_prefix: row.secret_prefix,
    headers: Object.fromEntries(row.header_names.map(name => [name, hiddenValue])),
    rate_limit_per_second: row.rate_limit_per_second,
    standard_webhooks: row.standard_webhooks,
    retry_base_seconds: row.retry_base_seconds,
    retry_cap_seconds: row.retry_cap_seconds,
    attempt_timeout_seconds: row.attempt_timeout_seconds,
    client_certificate: describeClientCertificate(row.client_certificate),
    tags: row.tags,
    sending_domains: row.sending_domains,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
