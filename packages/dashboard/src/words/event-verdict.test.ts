import type { Delivery, DeliveryState, Event } from '@posthorn/contract'
import { expect, test } from 'vitest'
import { eventVerdict } from './event-verdict.ts'
import { sentenceText } from './sentence.ts'

test('the verdict counts the endpoints that received the event, then unfinished and exhausted deliveries', () => {
  expect(words('delivered', 'delivered', 'failed', 'exhausted')).toEqual([
    'exhausted',
    'Delivered to 2 of 4 endpoints.',
    '1 delivery is not finished yet.',
    '1 was given up.',
  ])
  expect(words('delivered', 'delivered', 'delivered')).toEqual(['delivered', 'Delivered to all 3 endpoints.'])
  expect(words('failed', 'pending')).toEqual([
    'failed',
    'Delivered to none of 2 endpoints.',
    '2 deliveries are not finished yet.',
  ])
})

test('an event without a subscribed endpoint says so', () => {
  expect(words()).toEqual([
    'neutral',
    'No endpoint was subscribed to email.bounced when this event was created.',
  ])
})

test('an erased event says when it was erased and that it is never sent again', () => {
  const verdict = eventVerdict({ ...event, erased_at: '2026-11-21T03:00:00Z', deliveries: [] })
  expect(verdict.facts.map(fact => sentenceText(fact, 'utc', Date.parse('2026-11-21T04:00:00Z')))).toEqual([
    'Its recipient was erased 03:00:00; the body was replaced, and we do not send it again.',
  ])
})

function words(...states: DeliveryState[]): string[] {
  const deliveries = states.map(state => ({ state }) as Delivery)
  const { tone, headline, facts } = eventVerdict({ ...event, deliveries })
  return [tone, headline, ...facts.map(fact => sentenceText(fact, 'utc', 0))]
}

const event: Event = {
  id: 'evt_01kb3vqzxxe1x9v5x7c4d2q7m2',
  type: 'email.bounced',
  data: { email_id: 'em_1', to: ['ann@example.org'] },
  created_at: '2026-11-21T03:00:00Z',
  erased_at: null,
}
