import type { Webhook } from '@posthorn/contract'
import { defaultEventTypes } from '@posthorn/contract/plain'
import { expect, test } from 'vitest'
import {
  createBody,
  draftOf,
  draftProblems,
  type HeaderDraft,
  newDraft,
  updateBody,
} from './endpoint-draft.ts'

const webhook = {
  url: 'https://api.acme.test/in',
  events: [...defaultEventTypes],
  description: 'CRM',
  headers: { 'X-Team': '***', 'X-Room': '***' },
  rate_limit_per_second: 5,
  standard_webhooks: false,
  tags: ['kind=receipt'],
  sending_domains: [],
} as unknown as Webhook

const header = (name: string, value: string): HeaderDraft => ({ key: 9, name, value, isKept: false })

test('creating an endpoint sends only its URL if nothing else was filled in', () => {
  expect(createBody({ ...newDraft, url: ' https://a.test/x ' }, false)).toEqual({ url: 'https://a.test/x' })
})

test('creating an endpoint sends everything that was filled in', () => {
  const draft = {
    url: 'https://a.test/x',
    isForAll: false,
    events: ['email.bounced' as const],
    description: ' CRM ',
    headers: [header(' X-Team ', 'data'), header('', '')],
    rateLimit: '10',
    standardWebhooks: true,
    tags: 'kind=news\n',
    sendingDomains: ' acme.test\nshop.test',
  }
  expect(createBody(draft, true)).toEqual({
    url: 'https://a.test/x',
    events: ['email.bounced'],
    description: 'CRM',
    headers: { 'X-Team': 'data' },
    rate_limit_per_second: 10,
    standard_webhooks: true,
    tags: ['kind=news'],
    sending_domains: ['acme.test', 'shop.test'],
    enabled: false,
  })
})

test('saving an endpoint without changes sends no fields', () => {
  expect(updateBody(draftOf(webhook), webhook)).toEqual({})
})

test('a header keeps its hidden value, gets a new one or is removed', () => {
  const draft = draftOf(webhook)
  const [team, room] = draft.headers as [HeaderDraft, HeaderDraft]
  expect(updateBody({ ...draft, headers: [team, { ...room, value: '12' }] }, webhook)).toEqual({
    headers: { 'X-Room': '12' },
  })
  expect(updateBody({ ...draft, headers: [team, header('X-New', 'a')] }, webhook)).toEqual({
    headers: { 'X-Room': null, 'X-New': 'a' },
  })
})

test('emptying the tags removes the filter', () => {
  expect(updateBody({ ...draftOf(webhook), tags: '\n' }, webhook)).toEqual({ tags: [] })
})

test('emptying the rate limit removes it', () => {
  expect(updateBody({ ...draftOf(webhook), rateLimit: '' }, webhook)).toEqual({ rate_limit_per_second: null })
})

test('turning Standard Webhooks on or off changes nothing else', () => {
  expect(updateBody({ ...draftOf(webhook), standardWebhooks: true }, webhook)).toEqual({
    standard_webhooks: true,
  })
  const on = { ...webhook, standard_webhooks: true }
  expect(updateBody({ ...draftOf(on), standardWebhooks: false }, on)).toEqual({ standard_webhooks: false })
})

test.each(['0', '-1', '1.5', '1000001', 'ten'])('%s is rejected as a rate limit', rateLimit => {
  expect(draftProblems({ ...newDraft, rateLimit }).rateLimit).toMatch(/whole number/)
})

test('an endpoint without any event type is rejected', () => {
  expect(draftProblems({ ...newDraft, isForAll: false, events: [] }).events).toBe(
    'Choose at least one event type.',
  )
  expect(draftProblems(newDraft)).toEqual({})
})
