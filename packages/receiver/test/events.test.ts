import { expect, expectTypeOf, test } from 'vitest'
import {
  createVerifier,
  type EmailBouncedData,
  type Envelope,
  type EventMap,
  isEvent,
  isKnownEvent,
  type KnownEvent,
  route,
  type WebhookEvent,
} from '../src/index.ts'
import { at } from './signed.ts'

const envelope = {
  id: 'evt_1',
  created_at: '2026-11-21T04:00:01.120Z',
  data: { email_id: 'em_1', to: ['ann@example.org'] },
}

test('the type of an event narrows its data', () => {
  expectTypeOf<WebhookEvent>().toEqualTypeOf<KnownEvent>()
  expectTypeOf(createVerifier(at()).constructEvent).returns.resolves.toEqualTypeOf<WebhookEvent>()
  const narrow = (event: WebhookEvent) => {
    if (event.type === 'email.bounced') expectTypeOf(event.data).toEqualTypeOf<EmailBouncedData>()
    return event.data.email_id
  }
  expectTypeOf(narrow).returns.toBeString()
})

test('an application can use its own event type', () => {
  type Mine = Envelope<'mine', { n: number }>
  expectTypeOf(createVerifier<Mine>(at()).constructEvent).returns.resolves.toEqualTypeOf<Mine>()
})

test('isEvent and isKnownEvent check the type, even for names from Object.prototype', () => {
  expect(isEvent({ ...envelope, type: 'email.bounced' }, 'email.bounced')).toBe(true)
  expect(isEvent({ ...envelope, type: 'email.failed' }, 'email.bounced')).toBe(false)
  const known: Record<keyof EventMap, true> = {
    'email.delivered': true,
    'email.bounced': true,
    'email.failed': true,
    'email.unsubscribed': true,
    'email.complained': true,
    'email.deferred': true,
    'email.suppressed': true,
  }
  for (const type of Object.keys(known)) expect(isKnownEvent({ ...envelope, type })).toBe(true)
  expect(isKnownEvent({ ...envelope, type: 'xemail.failed' })).toBe(false)
  expect(isKnownEvent({ ...envelope, type: 'toString' })).toBe(false)
})

test('route calls the function for the type, `unknown` for new types, and nothing for unhandled types', async () => {
  const calls: string[] = []
  const handle = route({
    'email.delivered': event => calls.push(`delivered ${event.data.to[0]}`),
    'email.bounced': async event => calls.push(`bounced ${event.id}`),
    unknown: event => calls.push(`unknown ${event.type}`),
  })
  for (const type of [
    'email.delivered',
    'email.bounced',
    'email.failed',
    'email.unsubscribed',
    'email.opened',
    'unknown',
  ]) {
    await handle({ ...envelope, type })
  }
  expect(calls).toEqual([
    'delivered ann@example.org',
    'bounced evt_1',
    'unknown email.opened',
    'unknown unknown',
  ])
})

test('route waits for the function and passes its error on', async () => {
  const handle = route({ 'email.failed': () => Promise.reject(new Error('no')) })
  await expect(handle({ ...envelope, type: 'email.failed' })).rejects.toThrow('no')
})
