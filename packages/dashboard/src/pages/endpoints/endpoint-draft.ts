import type { EventType, Webhook, WebhookCreate, WebhookUpdate } from '@posthorn/contract'
import { defaultEventTypes } from '@posthorn/contract/plain'

/** An endpoint in a form. */
export interface EndpointDraft {
  readonly url: string
  readonly events: readonly EventType[]
  /** The default types: the outcomes of emails. */
  readonly isForAll: boolean
  readonly description: string
  readonly headers: readonly HeaderDraft[]
  /** A whole number as typed; empty: no limit. */
  readonly rateLimit: string
  readonly standardWebhooks: boolean
  /** One on each line; empty: all events. */
  readonly tags: string
  readonly sendingDomains: string
}

export interface HeaderDraft {
  readonly key: number
  readonly name: string
  readonly value: string
  /** The header has a stored value, which stays unless a new one is typed. */
  readonly isKept: boolean
}

export const newDraft: EndpointDraft = {
  url: '',
  events: defaultEventTypes,
  isForAll: true,
  description: '',
  headers: [],
  rateLimit: '',
  standardWebhooks: false,
  tags: '',
  sendingDomains: '',
}

export function draftOf(webhook: Webhook): EndpointDraft {
  return {
    url: webhook.url,
    events: webhook.events,
    isForAll: isSameSet(webhook.events, defaultEventTypes),
    description: webhook.description,
    headers: Object.keys(webhook.headers).map((name, key) => ({ key, name, value: '', isKept: true })),
    rateLimit: webhook.rate_limit_per_second === null ? '' : String(webhook.rate_limit_per_second),
    standardWebhooks: webhook.standard_webhooks,
    tags: webhook.tags.join('\n'),
    sendingDomains: webhook.sending_domains.join('\n'),
  }
}

/** The errors of a draft by field, found without the service; empty if there are none. */
export function draftProblems(draft: EndpointDraft): { events?: string; rateLimit?: string } {
  return {
    ...(!draft.isForAll && draft.events.length === 0 && { events: 'Choose at least one event type.' }),
    ...(!/^(?:[1-9]\d{0,5}|1000000)?$/.test(draft.rateLimit.trim()) && {
      rateLimit: 'Enter a whole number from 1 to 1,000,000, or leave it empty.',
    }),
  }
}

/** The request that creates the endpoint; untouched fields are left out. */
export function createBody(draft: EndpointDraft, startDisabled: boolean): WebhookCreate {
  const headers = draft.headers.filter(header => header.name.trim() !== '')
  return {
    url: draft.url.trim(),
    ...(!draft.isForAll && { events: [...draft.events] }),
    ...(draft.description.trim() !== '' && { description: draft.description.trim() }),
    ...(headers.length > 0 && {
      headers: Object.fromEntries(headers.map(({ name, value }) => [name.trim(), value])),
    }),
    ...(limitOf(draft) !== null && { rate_limit_per_second: limitOf(draft) }),
    ...(draft.standardWebhooks && { standard_webhooks: true }),
    ...(linesOf(draft.tags).length > 0 && { tags: linesOf(draft.tags) }),
    ...(linesOf(draft.sendingDomains).length > 0 && { sending_domains: linesOf(draft.sendingDomains) }),
    ...(startDisabled && { enabled: false }),
  }
}

/** The request that changes `webhook` to the draft; unchanged fields are left out. */
export function updateBody(draft: EndpointDraft, webhook: Webhook): WebhookUpdate {
  const events = draft.isForAll ? defaultEventTypes : draft.events
  const headers = headerChanges(draft, webhook)
  return {
    ...(draft.url.trim() !== webhook.url && { url: draft.url.trim() }),
    ...(!isSameSet(events, webhook.events) && { events: [...events] }),
    ...(draft.description.trim() !== webhook.description && { description: draft.description.trim() }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(limitOf(draft) !== webhook.rate_limit_per_second && { rate_limit_per_second: limitOf(draft) }),
    ...(draft.standardWebhooks !== webhook.standard_webhooks && {
      standard_webhooks: draft.standardWebhooks,
    }),
    ...(!isSameSet(linesOf(draft.tags), webhook.tags) && { tags: linesOf(draft.tags) }),
    ...(!isSameSet(linesOf(draft.sendingDomains), webhook.sending_domains) && {
      sending_domains: linesOf(draft.sendingDomains),
    }),
  }
}

function headerChanges({ headers }: EndpointDraft, webhook: Webhook): Record<string, string | null> {
  const wanted = new Set(headers.map(({ name }) => name.trim().toLowerCase()))
  const removed = Object.keys(webhook.headers).filter(name => !wanted.has(name.toLowerCase()))
  const set = headers.filter(({ name, value, isKept }) => name.trim() !== '' && !(isKept && value === ''))
  return Object.fromEntries([
    ...removed.map(name => [name, null] as const),
    ...set.map(({ name, value }) => [name.trim(), value] as const),
  ])
}

function limitOf({ rateLimit }: EndpointDraft): number | null {
  return rateLimit.trim() === '' ? null : Number(rateLimit)
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every(one => b.includes(one))
}
