import type { Email, EmailRecipient } from '@posthorn/contract'
import { expect, test } from 'vitest'
import { emailVerdict } from './email-verdict.ts'

test('without delivery reports, acceptance by our mail server is called all we will know', () => {
  const verdict = emailVerdict(email([recipient({ state: 'handed_over', outcome_expected: false })]))
  expect(verdict.tone).toBe('neutral')
  expect(verdict.headline).toBe('Our mail server accepted it. That is all we will know, unless it fails.')
  expect(verdict.facts.at(-1)?.[0]).toContain('neither a Postfix log nor KumoMTA’s webhook')
})

test('with delivery reports, the outcome is still pending', () => {
  const verdict = emailVerdict(email([recipient({ state: 'handed_over', outcome_expected: true })]))
  expect(verdict).toMatchObject({
    tone: 'pending',
    headline: 'Our mail server accepted it and tries to deliver it.',
  })
})

test('an email that our mail server deferred shows its attempts and the next attempt', () => {
  const next = '2026-11-21T03:05:00Z'
  const verdict = emailVerdict(email([recipient({ state: 'queued', tries: 2, next_try_at: next })]))
  expect(verdict.tone).toBe('failed')
  expect(verdict.facts).toEqual([['We tried 2 times.'], ['Next attempt ', { at: next, relative: true }, '.']])
  expect(emailVerdict(email([recipient({ state: 'queued' })])).tone).toBe('pending')
})

test('with several recipients the delivered ones are counted and the other states listed', () => {
  const verdict = emailVerdict(
    email([
      recipient({ state: 'delivered' }),
      recipient({ state: 'bounced' }),
      recipient({ state: 'handed_over', outcome_expected: false }),
    ]),
  )
  expect(verdict).toMatchObject({ tone: 'exhausted', headline: 'Delivered to 1 of 3 recipients.' })
  expect(verdict.facts.flat()).toEqual(
    expect.arrayContaining(['1 bounced.', '1 was handed over.', expect.stringContaining('all we will know')]),
  )
})

test.each([
  [['delivered', 'delivered'], 'Delivered to both recipients.', 'delivered'],
  [['queued', 'queued', 'queued'], 'Delivered to none of 3 recipients so far.', 'pending'],
  [['handed_over', 'handed_over'], 'Handed over for all 2 recipients.', 'neutral'],
] as const)('%j: %s', (states, headline, tone) => {
  const all = states.map(state => recipient({ state, outcome_expected: false }))
  expect(emailVerdict(email(all))).toMatchObject({ headline, tone })
})

function email(recipients: EmailRecipient[]): Email {
  return {
    id: 'em_01kb3vqzxxe1x9v5x7c4d2q7m2',
    from: 'shop@example.com',
    to: recipients.map(({ address }) => address),
    cc: [],
    bcc: [],
    subject: 'Your order',
    message_id: 'x@example.com',
    tags: {},
    metadata: {},
    unsubscribe: null,
    states: { queued: 0, handed_over: 0, delivered: 0, bounced: 0, failed: 0 },
    created_at: '2026-11-21T03:00:00Z',
    latest_event: null,
    erased_at: null,
    recipients,
  }
}

function recipient(input: Partial<EmailRecipient>): EmailRecipient {
  return {
    address: 'ann@example.org',
    field: 'to',
    state: 'queued',
    outcome_expected: true,
    reply: null,
    event_id: null,
    tries: null,
    next_try_at: null,
    updated_at: '2026-11-21T03:00:00Z',
    ...input,
  }
}
