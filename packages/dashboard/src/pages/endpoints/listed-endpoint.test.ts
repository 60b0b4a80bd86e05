import type { Webhook, WebhookHealth } from '@posthorn/contract'
import { expect, test } from 'vitest'
import { byNeed, type ListedEndpoint, narrowed } from './listed-endpoint.ts'

function endpoint(name: string, health: Partial<WebhookHealth>): ListedEndpoint {
  const whole = { state: 'healthy', disabled_reason: null, failing_since: null, warnings: [], ...health }
  return {
    webhook: { url: `https://${name}.acme.test/in`, description: name.toUpperCase() } as Webhook,
    health: whole as unknown as WebhookHealth,
  }
}

const names = (endpoints: readonly ListedEndpoint[]): string[] =>
  endpoints.map(({ webhook }) => webhook.description.toLowerCase())

const endpoints = [
  endpoint('well', {}),
  endpoint('silent', { state: 'quiet' }),
  endpoint('partly', { state: 'degraded' }),
  endpoint('manual', { state: 'disabled', disabled_reason: 'manual' }),
  endpoint('lately', { state: 'failing', failing_since: '2026-11-21T03:00:00Z' }),
  endpoint('long', { state: 'failing', failing_since: '2026-11-19T03:00:00Z' }),
  endpoint('ending', {
    warnings: [{ code: 'certificate_expires_soon', message: '', since: '2026-11-21T03:00:00Z' }],
  }),
  endpoint('gone', { state: 'disabled', disabled_reason: 'gone' }),
]

test('endpoints that most need attention come first, and the longest failing before other failing ones', () => {
  expect(names(byNeed(endpoints))).toEqual([
    'gone',
    'long',
    'lately',
    'partly',
    'ending',
    'manual',
    'silent',
    'well',
  ])
})

test('a search matches URLs and descriptions, ignoring case', () => {
  expect(names(narrowed(endpoints, { q: ' LONG.acme' }))).toEqual(['long'])
  expect(names(narrowed(endpoints, { q: 'Well' }))).toEqual(['well'])
})

test('an endpoint that somebody disabled needs no attention', () => {
  expect(names(narrowed(endpoints, { show: 'attention' }))).toEqual([
    'partly',
    'lately',
    'long',
    'ending',
    'gone',
  ])
  expect(names(narrowed(endpoints, { show: 'disabled' }))).toEqual(['manual', 'gone'])
})
