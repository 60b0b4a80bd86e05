import type { Webhook } from '@posthorn/contract'
import { table } from './table.ts'

/** An endpoint for people, one field per line. */
export function describeEndpoint(endpoint: Webhook): string {
  const { status, disabled_reason: reason, rate_limit_per_second: rate } = endpoint
  const headers = Object.keys(endpoint.headers)
  return table([
    ['ID', endpoint.id],
    ['URL', endpoint.url],
    ['Status', reason === null ? status : `${status} (${reason})`],
    ['Events', endpoint.events.join(', ')],
    ['Secret', `${endpoint.secret_prefix}…`],
    ['Headers', headers.length === 0 ? 'none' : headers.join(', ')],
    ['Rate limit', rate === null ? 'none' : `${rate} per second`],
    ['Retry base', secondsOf(endpoint.retry_base_seconds)],
    ['Retry cap', secondsOf(endpoint.retry_cap_seconds)],
    ['Timeout', secondsOf(endpoint.attempt_timeout_seconds)],
    ['Standard Webhooks', endpoint.standard_webhooks ? 'on' : 'off'],
    ['Tags', endpoint.tags.join(', ') || 'all'],
    ['Sending domains', endpoint.sending_domains.join(', ') || 'all'],
    ['Description', endpoint.description],
    ['Created', endpoint.created_at],
    ['Changed', endpoint.updated_at],
  ])
}

function secondsOf(seconds: number | null): string {
  return seconds === null ? 'default' : `${seconds} s`
}
