import { eventCatalogue, type ProviderKind } from '@posthorn/contract'
import { describe, expect, test } from 'vitest'
import { providers } from '../../src/providers/providers.ts'
import { fromKumomta } from '../../src/sources/from-kumomta.ts'
import { judgeForeign } from '../../src/sources/judge-foreign.ts'
import type { Translated } from '../../src/sources/source-report.ts'
import { about, failed, replied } from './mailgun-webhook.ts'
import { outcomeOf } from './outcome-of.ts'
import { providerCases } from './provider-cases.ts'
import { bounce, delivery, refusedBy } from './ses-webhook.ts'

const { accountId } = outcomeOf
const text = '550 5.1.1 user unknown'
/** What each reader gets. */
const reports: ReadonlyArray<readonly [string, (payload: unknown) => Translated[], unknown]> = [
  ...providerCases.flatMap(({ kind, wrap, ...one }) =>
    [one.delivery('order-1'), one.bounce('order-1')].map(
      event => [kind, translate(kind), kind === 'resend' ? { id: 'msg_1', event } : wrap(event)] as const,
    ),
  ),
  ['mailgun', translate('mailgun'), about('delivered', replied(250, 'OK'))],
  ['mailgun', translate('mailgun'), failed(550, text)],
  ['ses', translate('ses'), delivery()],
  ['ses', translate('ses'), bounce('Permanent', 'General', refusedBy(`smtp; ${text}`, '5.1.1'))],
  ['KumoMTA', record => fromKumomta(record, 0, { accountId, byMessageId: false }), kumomtaBounce()],
]

function translate(kind: ProviderKind): (payload: unknown) => Translated[] {
  return payload => providers[kind].translate(payload, accountId)
}

function kumomtaBounce(): object {
  return {
    type: 'Bounce',
    id: 'a1',
    sender: 'shop@acme.example',
    recipient: 'ann@example.org',
    response: { code: 550, enhanced_code: { class: 5, subject: 1, detail: 1 }, content: text },
    peer_address: { name: 'mx1.example.org.', addr: '192.0.2.7' },
    timestamp: 1_795_233_601,
    num_attempts: 2,
    meta: { posthorn_email_id: 'order-1' },
    headers: { 'Message-ID': '<a@acme.example>' },
  }
}

/** Every limit cuts one of the two inside a character. */
const texts = ['😀'.repeat(5_000), `x${'😀'.repeat(5_000)}`]
const numbers = [1_000_001, Number.MAX_SAFE_INTEGER, 1e300, -1, 0, 1.5]

describe.each(reports)('a report of %s', (_, read, payload) => {
  const eventsOf = (one: unknown) =>
    read(one).flatMap(({ report }) => {
      const outcome = typeof report === 'string' ? report : judgeForeign(report, '2026-11-21T04:00:05.000Z')
      return typeof outcome === 'string' ? [] : [outcome]
    })

  test('becomes an event that the contract allows, whatever one of its fields contains', () => {
    expect(eventsOf(payload)).toHaveLength(1)
    for (const changed of variantsOf(payload)) {
      for (const { type, data } of eventsOf(changed)) {
        const { error } = eventCatalogue[type].body.shape.data.safeParse(data)
        expect([changed, error?.issues]).toEqual([changed, undefined])
        // JSON.stringify escapes only half of a surrogate pair
        expect(JSON.stringify(data)).not.toMatch(/\\ud[89a-f]/)
      }
    }
  })
})

/** The value with each text in it replaced by each of `texts`, or each number by each of `numbers`, one at a time. */
function* variantsOf(value: unknown): Generator<unknown> {
  if (typeof value === 'string') {
    yield* texts
    for (const one of texts) yield value + one
  }
  if (typeof value === 'number' || typeof value === 'string') yield* numbers
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) {
      for (const changed of variantsOf(one)) yield value.with(index, changed)
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      for (const changed of variantsOf(one)) yield { ...value, [name]: changed }
    }
  }
}
