import type { Suppression } from '@posthorn/contract'
import { expect, test } from 'vitest'
import { addressWords, heldBackWords, liftWords } from './suppression-words.ts'

test('an address without suppressions is called not suppressed', () => {
  expect(addressWords([])).toEqual({
    tone: 'delivered',
    headline: 'This address is not suppressed.',
    facts: [],
  })
})

test('suppression of one list and of all mail are distinguished, each with reason and time', () => {
  const lists = suppression({ scope: { type: 'list', id: 'weekly' } })
  expect(addressWords([lists]).headline).toBe('We send no list mail to this address, but all other mail.')
  const bounced = suppression({ reason: 'domain_bounce', lapses_at: '2026-12-01T00:00:00Z' })
  const words = addressWords([lists, bounced])
  expect(words).toMatchObject({ tone: 'exhausted', headline: 'We send no mail to this address.' })
  expect(words.facts).toEqual([
    ['List weekly: unsubscribed ', { at: '2026-11-01T00:00:00Z' }, '.'],
    [
      'All mail: domain bounced ',
      { at: '2026-11-01T00:00:00Z' },
      ', until ',
      { at: '2026-12-01T00:00:00Z' },
      '.',
    ],
  ])
})

test('lifting an unsubscribe or a complaint requires consent; lifting a bounce does not', () => {
  expect(liftWords('unsubscribe').consent).not.toBeNull()
  expect(liftWords('complaint').consent).not.toBeNull()
  expect(liftWords('bounce').consent).toBeNull()
})

test('suppression scopes are shown in plain words', () => {
  expect(heldBackWords({ type: 'all_mail', id: null })).toBe('All mail')
  expect(heldBackWords({ type: 'list', id: 'weekly' })).toBe('List weekly')
})

function suppression(input: Partial<Suppression>): Suppression {
  return {
    id: 'sup_01kb3vqzxxe1x9v5x7c4d2q7m2',
    state: 'active',
    address: 'ann@example.org',
    reason: 'unsubscribe',
    scope: { type: 'all_mail', id: null },
    email_id: null,
    event_id: null,
    created_at: '2026-11-01T00:00:00Z',
    lapses_at: null,
    lifted_at: null,
    ...input,
  }
}
