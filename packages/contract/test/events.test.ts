import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import {
  decidedOutcome,
  defaultEventTypes,
  eventCatalogue,
  eventJsonSchema,
  eventTypes,
  sampleEvent,
} from '../src/index.ts'

test.each(eventTypes)('the sample of %s is valid under zod and under its JSON Schema', type => {
  expect(eventCatalogue[type].body.safeParse(sampleEvent(type)).error).toBeUndefined()
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const validate = ajv.compile(eventJsonSchema(type))
  expect(validate(sampleEvent(type)), JSON.stringify(validate.errors)).toBe(true)
  expect(validate({ ...sampleEvent(type), data: {} })).toBe(false)
})

test.each(defaultEventTypes)('an email_id and a recipient are enough to report %s', type => {
  const outcome = { type, data: { email_id: 'abc', to: ['ann@example.org'] } }
  expect(decidedOutcome.safeParse(outcome).error).toBeUndefined()
})

test.each(defaultEventTypes)('the sample data of %s is accepted as a report', type => {
  expect(decidedOutcome.safeParse({ type, data: sampleEvent(type).data }).error).toBeUndefined()
})

const refused: [string, object, string][] = [
  ['no data', { type: 'email.delivered' }, 'data'],
  ['an unknown type', { type: 'email.opened', data: {} }, 'type'],
  [
    'an unknown field',
    { type: 'email.delivered', data: { email_id: 'a', to: ['a@b.c'], clicked: 1 } },
    'data',
  ],
  ['no recipient', { type: 'email.delivered', data: { email_id: 'a', to: [] } }, 'data.to'],
  [
    '101 recipients',
    { type: 'email.delivered', data: { email_id: 'a', to: Array(101).fill('a@b.c') } },
    'data.to',
  ],
  [
    'two bounced recipients',
    { type: 'email.bounced', data: { email_id: 'a', to: ['a@b.c', 'd@e.f'] } },
    'data.to',
  ],
  [
    'a recipient that is not in to',
    { type: 'email.bounced', data: { email_id: 'a', to: ['a@b.c'], recipient: 'x@b.c' } },
    'data.recipient',
  ],
  [
    'an email_id with a space',
    { type: 'email.delivered', data: { email_id: 'a b', to: ['a@b.c'] } },
    'data.email_id',
  ],
  [
    'an email_id that is too long',
    { type: 'email.delivered', data: { email_id: 'a'.repeat(129), to: ['a@b.c'] } },
    'data.email_id',
  ],
  ['what is no address', { type: 'email.delivered', data: { email_id: 'a', to: ['ann'] } }, 'data.to.0'],
  ['a display name', { type: 'email.delivered', data: { email_id: 'a', to: ['Ann <a@b.c>'] } }, 'data.to.0'],
  [
    'a line break in an address',
    { type: 'email.delivered', data: { email_id: 'a', to: ['a@b.c\n'] } },
    'data.to.0',
  ],
  [
    'a date that does not exist',
    { type: 'email.delivered', data: { email_id: 'a', to: ['a@b.c'] }, occurred_at: '2026-02-30T00:00:00Z' },
    'occurred_at',
  ],
  [
    'a reason of another category',
    {
      type: 'email.failed',
      data: { email_id: 'a', to: ['a@b.c'], failure: { category: 'signing', reason: 'ip_blocked' } },
    },
    'data.failure.reason',
  ],
  [
    'two recipients in scope recipient',
    { type: 'email.failed', data: { email_id: 'a', to: ['a@b.c', 'd@e.f'], scope: 'recipient' } },
    'data.to',
  ],
  [
    'a nested tag',
    { type: 'email.delivered', data: { email_id: 'a', to: ['a@b.c'], tags: { a: {} } } },
    'data.tags.a',
  ],
]

test.each(refused)('a report with %s is rejected', (_, outcome, path) => {
  const issues = decidedOutcome.safeParse(outcome).error?.issues
  expect(issues?.map(issue => issue.path.join('.'))).toContain(path)
})
