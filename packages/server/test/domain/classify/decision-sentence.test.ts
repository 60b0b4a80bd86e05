import { expect, test } from 'vitest'
import { classify } from '../../../src/domain/classify/classify.ts'
import { type Disposition, dispositions } from '../../../src/domain/classify/raw-outcome.ts'
import { stages } from '../../../src/domain/classify/stage.ts'
import { registeredCodes } from './registered-codes.ts'

const why = (text: string, raw: Partial<Parameters<typeof classify>[0]> = {}): string =>
  classify({ ...raw, reply: { text } }).decidedBy

test.each([
  ['550 5.1.1 User unknown', 'The reply has the enhanced status code 5.1.1: the mailbox does not exist.'],
  ['550 No such user', 'The reply says “no such user”: the mailbox does not exist.'],
  ['556 No mail here', 'The reply has the code 556: the domain of the address does not accept mail.'],
  [
    '550 5.1.1 Mailbox full',
    'The reply says “mailbox full”, which names another cause than the address: the mailbox is full.',
  ],
  ['550 Unknown user, try again', 'The reply says “try again”, so the problem is temporary.'],
  [
    '550 User unknown, blocked',
    'The reply says that the recipient is unknown, but also says “blocked”, so a rule may have refused the email.',
  ],
  [
    '550 5.7.1 No',
    'The reply has the enhanced status code 5.7.1, which does not show that the address is bad: the receiving server does not allow this email to this address.',
  ],
  ['450 Later', 'The mail system is still trying to deliver the email.'],
])('the decision on %s is explained', (text, sentence) => {
  expect(why(text)).toBe(sentence)
})

test('a decision on the text of a bounce message says so', () => {
  expect(why('550 No such user', { isInWords: true })).toBe(
    'The text of the bounce message says “no such user”: the mailbox does not exist.',
  )
  const said = { disposition: 'permanent', isInWords: true, statement: 'The user does not exist.' } as const
  expect(why('The user does not exist.', said)).toBe(
    'The text of the bounce message quotes no reply, but says “user does not exist” about the recipient: the mailbox does not exist.',
  )
})

test('no address is part of an explanation', () => {
  for (const text of ['550 ann@example.org does not exist', '550 5.1.1 <ann@example.org> mailbox is full']) {
    expect(why(text)).not.toContain('ann')
  }
})

test('every decision is explained in one whole sentence', () => {
  const words = ['', 'User unknown', 'Over quota', 'SPF failed', 'Host not found', 'please try again']
  const codes = registeredCodes.flatMap(([code]) => [`550 5.${code}`, `450 4.${code}`, `250 2.${code}`])
  const given: Array<Disposition | undefined> = [undefined, ...dispositions]
  for (const text of codes.flatMap(code => words.map(word => `${code} ${word}`))) {
    for (const disposition of given) {
      for (const stage of [undefined, ...stages]) {
        const { decidedBy, rule } = classify({ disposition, stage, reply: { text } })
        expect(decidedBy, rule).toMatch(/^[A-Z][^\n]{10,480}\.$/)
        expect(decidedBy, rule).not.toMatch(/undefined|null|: *\.|\.\./)
      }
    }
  }
})
