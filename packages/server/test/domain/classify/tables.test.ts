import { expect, test } from 'vitest'
import { failureReasons } from '@posthorn/contract'
import type { Classification } from '../../../src/domain/classify/classification.ts'
import { classify } from '../../../src/domain/classify/classify.ts'
import { registeredCodes } from './registered-codes.ts'

/** The result in short: `invalid_recipient` for a bounce, `policy/access_denied` for a failure. */
function verdict(found: Classification): string {
  if (found.event === 'email.bounced') return found.reason
  return found.event === 'email.failed' ? `${found.data.failure.category}/${found.reason}` : `${found.event}`
}

const gaveUp = (text: string) => verdict(classify({ disposition: 'permanent', reply: { text } }))

test('the registry has 81 codes', () => {
  expect(new Set(registeredCodes.map(([code]) => code)).size).toBe(81)
})

test.each(registeredCodes)('5.%s alone means %s', (code, permanent) => {
  expect(gaveUp(`550 5.${code}`)).toBe(permanent.replace('text: ', ''))
})

test.each(registeredCodes)(
  '5.%s with an unknown user: the text decides only if the code leaves it open',
  (code, permanent) => {
    const found = gaveUp(`550 5.${code} User unknown`)
    if (permanent.startsWith('text: ')) expect(found).toBe('invalid_recipient')
    else if (permanent.includes('/')) expect(found).toContain('/')
    else expect(found).not.toContain('/')
  },
)

test.each(registeredCodes)(
  '4.%s is an expired, retryable failure after the mail system stops retrying',
  (code, _permanent, expected) => {
    const found = classify({ disposition: 'permanent', reply: { text: `450 4.${code} User unknown` } })
    expect(verdict(found)).toBe(expected)
    expect(found).toMatchObject({ data: { failure: { expired: true, retryable: true } } })
  },
)

test.each(registeredCodes)('4.%s is not an outcome while the mail system still retries', code => {
  expect(classify({ reply: { text: `450 4.${code} User unknown` } })).toMatchObject({
    event: null,
    reason: 'temporary',
  })
})

test.each(registeredCodes)('5.%s in a 4xx reply, or 4.%s in a 5xx reply, is never a bounce', code => {
  expect(gaveUp(`450 5.${code} User unknown`)).toContain('/')
  expect(gaveUp(`550 4.${code} User unknown`)).toContain('/')
})

test.each([
  [500, 'infrastructure/protocol_error'],
  [501, 'infrastructure/protocol_error'],
  [502, 'infrastructure/protocol_error'],
  [503, 'infrastructure/protocol_error'],
  [504, 'infrastructure/protocol_error'],
  [521, 'infrastructure/remote_not_accepting_mail'],
  [523, 'policy/tls_required'],
  [524, 'infrastructure/relay_auth_failed'],
  [525, 'infrastructure/relay_auth_failed'],
  [530, 'infrastructure/relay_auth_failed'],
  [534, 'infrastructure/relay_auth_failed'],
  [535, 'infrastructure/relay_auth_failed'],
  [538, 'policy/tls_required'],
  [540, 'policy/unspecified'],
  [541, 'policy/unspecified'],
  [542, 'policy/unspecified'],
  [550, 'policy/unspecified'],
  [551, 'policy/relay_denied'],
  [552, 'infrastructure/mailbox_full'],
  [553, 'policy/unspecified'],
  [554, 'policy/unspecified'],
  [555, 'infrastructure/protocol_error'],
  [556, 'domain_not_accepting_mail'],
  [557, 'policy/unspecified'],
  [570, 'policy/unspecified'],
  [571, 'policy/unspecified'],
  [585, 'policy/unspecified'],
  [591, 'policy/unspecified'],
])('the reply code %i alone means %s', (code, expected) => {
  expect(verdict(classify({ reply: { code } }))).toBe(expected)
})

test.each([
  [501, 'mail_from', 'policy/sender_rejected'],
  [553, 'mail_from', 'policy/sender_rejected'],
  [552, 'end_of_data', 'policy/message_too_large'],
  [554, 'connect', 'policy/ip_blocked'],
  [556, 'mail_from', 'policy/unspecified'],
] as const)('%i at %s means %s', (code, stage, expected) => {
  expect(verdict(classify({ stage, reply: { code } }))).toBe(expected)
})

test.each([
  [540, 'Recipient address rejected: user unknown', 'invalid_recipient'],
  [550, 'No such user', 'invalid_recipient'],
  [551, 'Not our user', 'invalid_recipient'],
  [552, 'Requested mail action aborted, mailbox not found', 'invalid_recipient'],
  [553, 'Sorry, no mailbox here by that name', 'invalid_recipient'],
  [554, "This user doesn't have an account here", 'invalid_recipient'],
  [525, 'Disabled recipient address', 'mailbox_disabled'],
])('%i is a bounce if the text says so: %s', (code, text, expected) => {
  expect(verdict(classify({ reply: { code, text } }))).toBe(expected)
})

test.each(['ehlo', 'connect', 'tls', 'auth', 'mail_from', 'signing'] as const)(
  'a rejection at %s is never a bounce',
  stage => {
    expect(verdict(classify({ stage, reply: { text: '550 5.1.1 User unknown' } }))).toContain('/')
  },
)

test('a rejection after DATA is a bounce only if the transaction had one recipient', () => {
  const reply = { text: '550 5.1.1 User unknown' }
  expect(verdict(classify({ stage: 'end_of_data', reply }))).toBe('invalid_recipient')
  expect(verdict(classify({ stage: 'end_of_data', reply, recipientsInTransaction: 2 }))).toContain('/')
  expect(verdict(classify({ stage: 'rcpt_to', reply, recipientsInTransaction: 2 }))).toBe('invalid_recipient')
})

test('every reason from the classifier is in the catalogue under its category', () => {
  const known = Object.entries(failureReasons).flatMap(([category, reasons]) =>
    reasons.map(reason => `${category}/${reason}`),
  )
  for (const [, permanent, expired] of registeredCodes) {
    for (const expected of [permanent.replace('text: ', ''), expired]) {
      if (expected.includes('/')) expect(known).toContain(expected)
    }
  }
})
