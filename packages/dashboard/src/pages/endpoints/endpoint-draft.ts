import type { EventType, Webhook, WebhookCreate, WebhookUpdate } from '@posthorn/contract'
import { eventTypes } from '@posthorn/contract/plain'

/** An endpoint as it is being filled in. */
export interface EndpointDraft {
  readonly url: string
  readonly events: readonly EventType[]
  /** Every type, also those that come later. */
  readonly isForAll: boolean
  readonly description: string
  readonly headers: readonly HeaderDraft[]
  /** A whole number as typed; empty: no limit. */
  readonly rateLimit: string
}

export interface HeaderDraft {
  readonly key: number
  readonly name: string
  readonly value: string
  /** It has a value that nobody is shown, and that stays unless another is typed. */
  readonly isKept: boolean
}

export const newDraft: EndpointDraft = {
  url: '',
  events: eventTypes,
  isForAll: true,
  description: '',
  headers: [],
  rateLimit: '',
}

export function draftOf(webhook: Webhook): EndpointDraft {
  return {
    url: webhook.url,
    events: webhook.events,
    isForAll: webhook.events.length === eventTypes.length,
    description: webhook.description,
    headers: Object.keys(webhook.headers).map((name, key) => ({ key, name, value: '', isKept: true })),
    rateLimit: webhook.rate_limit_per_second === null ? '' : String(webhook.rate_limit_per_second),
  }
}

/** What is wrong with a draft that the service need not be asked about, by field; empty when nothing is. */
export function draftProblems(draft: EndpointDraft): { events?: string; rateLimit?: string } {
  return {
    ...(!draft.isForAll && draft.events.length === 0 && { events: 'Choose at least one.' }),
    ...(!/^(?:[1-9]\d{0,5}|1000000)?$/.test(draft.rateLimit.trim()) && {
      rateLimit: 'A whole number from 1 to 1,000,000, or nothing.',
    }),
  }
}

/** The request that makes the endpoint; what was left alone is left out. */
export function createBody(draft: EndpointDraft, startPaused: boolean): WebhookCreate {
  const headers = draft.headers.filter(header => header.name.trim() !== '')
  return {
    url: draft.url.trim(),
    ...(!draft.isForAll && { events: [...draft.events] }),
    ...(draft.description.trim() !== '' && { description: draft.description.trim() }),
    ...(headers.length > 0 && {
      headers: Object.fromEntries(headers.map(({ name, value }) => [name.trim(), value])),
    }),
    ...(limitOf(draft) !== null && { rate_limit_per_second: limitOf(draft) }),
    ...(startPaused && { enabled: false }),
  }
}

/** The request that makes `webhook` what the draft says, with nothing in it that is so already. */
export function updateBody(draft: EndpointDraft, webhook: Webhook): WebhookUpdate {
  const events = draft.isForAll ? eventTypes : draft.events
  const headers = headerChanges(draft, webhook)
  return {
    ...(draft.url.trim() !== webhook.url && { url: draft.url.trim() }),
    ...(!isSameSet(events, webhook.events) && { events: [...events] }),
    ...(draft.description.trim() !== webhook.description && { description: draft.description.trim() }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(limitOf(draft) !== webhook.rate_limit_per_second && { rate_limit_per_second: limitOf(draft) }),
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

function isSameSet(a: readonly EventType[], b: readonly EventType[]): boolean {
  return a.length === b.length && a.every(type => b.includes(type))
}
