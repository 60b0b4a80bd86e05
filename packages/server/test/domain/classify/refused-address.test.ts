import { expect, test } from 'vitest'
import { classify } from '../../../src/domain/classify/classify.ts'
import type { RawOutcome } from '../../../src/domain/classify/raw-outcome.ts'

/** Classifies a reply to a mail from news@acme.test to ann@example.org. */
const judged = (text: string, more: Partial<RawOutcome> = {}) =>
  classify({
    disposition: 'permanent',
    recipient: 'ann@example.org',
    recipientDomain: 'example.org',
    senders: ['Acme <news@acme.test>', 'bounces+list@return.acme.test'],
    reply: { text },
    ...more,
  })

const forwardFailed = {
  event: 'email.failed',
  reason: 'forward_failed',
  data: { failure: { final_recipient: 'dead@old.example.net' } },
}

test.each([
  '550 5.1.1 <dead@old.example.net>: Recipient address rejected: User unknown',
  'smtp; 550 5.1.1 <dead@old.example.net>: Recipient address rejected:\n    User unknown in virtual mailbox table',
  '550 5.1.1 <dead@old.example.net> User unknown',
  '550 5.1.1 <dead@old.example.net>... User unknown',
  '550 5.1.1 <dead@old.example.net>',
  '550 <dead@old.example.net>: User unknown',
  '550-5.1.1 <dead@old.example.net>: User unknown',
  '550 #5.1.1 <dead@old.example.net>: does not exist here',
  '5.1.1 <dead@old.example.net> User unknown',
  '550 5.1.1 dead@old.example.net... User unknown',
  '550 5.2.1 <dead@old.example.net>: Mailbox disabled',
  '550 5.1.1 RCPT TO:<dead@old.example.net> User unknown',
  '550 5.1.1 User unknown: <dead@old.example.net>',
  '550 5.1.1 No such user (dead@old.example.net)',
  '550 Invalid recipient <dead@old.example.net> (#5.1.1)',
  '550 Sorry, the mailbox <dead@old.example.net> does not exist',
  'host mx.example.net[192.0.2.9] said: 550 5.1.1 <dead@old.example.net>: User unknown (in reply to RCPT TO command)',
  'host mx.example.org[192.0.2.7] said: 550 5.1.1 <dead@old.example.net>: User unknown (expanded from: <ann@example.org>)',
])('a reply that rejects another address means that the mail was forwarded: %j', text => {
  expect(judged(text)).toMatchObject(forwardFailed)
})

test('a non-ASCII address is compared like any other, and its punycode form is the same address', () => {
  expect(judged('550 5.1.1 <tote@münchen.example>: User unknown')).toMatchObject({
    reason: 'forward_failed',
    data: { failure: { final_recipient: 'tote@münchen.example' } },
  })
  expect(
    judged('550 5.1.1 <ann@xn--mnchen-3ya.example>: User unknown', { recipient: 'Ann@münchen.example' })
      .event,
  ).toBe('email.bounced')
})

test.each([
  'ann@example.org',
  'ANN@Example.ORG',
  'ann@example.org.',
  '"ann"@example.org',
  'ann+news@example.org',
  'ann@mail.example.org',
  'ann@mailstore.internal',
  'ann@mailstore',
  'prvs=0123456789=ann@example.org',
  'SRS0=abcd=xy=example.org=ann@relay.example.net',
  'bounces+ann=example.org@list.example.net',
  'list-ann-example.org@list.example.net',
  'ann%example.org@relay.example.net',
  '@relay.example.net:ann@example.org',
  'a***@e***.org',
])('another form of the recipient’s address counts as the recipient: %s', address => {
  expect(judged(`550 5.1.1 <${address}>: Recipient address rejected: User unknown`)).toMatchObject({
    event: 'email.bounced',
    reason: 'invalid_recipient',
  })
})

test('a removed or RFC 3461-encoded tag does not make it a different address', () => {
  const recipient = 'ann+shop@example.org'
  for (const address of ['ann@example.org', 'ann+2Bshop@example.org', 'Ann+Shop@example.org'])
    expect(judged(`550 5.1.1 <${address}>: User unknown`, { recipient }).event).toBe('email.bounced')
})

const ownReturnPath = `bounces+${'a'.repeat(53)}@return.example`

test.each([
  '550 5.1.1 <news@acme.test>: User unknown',
  '550 5.1.0 <News@ACME.test>... Address rejected',
  '550 No such user <bounces+list@return.acme.test>',
  '550-Verification failed for <news@acme.test>\n550 Unrouteable address: <news@acme.test>',
  `550 5.1.1 <${ownReturnPath}>: User unknown`,
])('a reply that rejects the sender is not about the recipient: %j', text => {
  expect(judged(text)).toMatchObject({ event: 'email.failed', reason: 'sender_rejected' })
})

test.each([
  '550 5.1.1 <news@acme.test>: no such user <ann@example.org>',
  '550 5.1.1 <ann@example.org>: User unknown (message from <news@acme.test>)',
  '550 5.1.1 <ann@example.org>: User unknown\n550 5.1.1 <news@acme.test>',
])('a reply that names the recipient next to the sender is about the recipient: %j', text => {
  expect(judged(text).event).toBe('email.bounced')
})

test('an address that is both sender and recipient counts as the recipient', () => {
  const text = '550 5.1.1 <news@acme.test>: User unknown'
  expect(judged(text, { recipient: 'news@acme.test' }).event).toBe('email.bounced')
})

test.each([
  'other@return.acme.test',
  'prvs=0123456789=news@acme.test',
  'SRS0=abcd=xy=acme.test=news@relay.example.net',
])('a variant of the sender’s address does not turn a bounce into a failure: %s', address => {
  expect(judged(`550 5.1.1 <${address}>: User unknown`).event).toBe('email.bounced')
})

test.each([
  '550 5.1.1 User unknown',
  '550 5.1.1 <ann@example.org>: User unknown. Contact <postmaster@old.example.net>',
  '550 5.1.1 User unknown, contact postmaster@old.example.net',
  '550 5.1.1 message by <dead@old.example.net>: User unknown',
  '550 5.1.1 User unknown (see https://old.example.net/?who=dead@old.example.net)',
  '550 5.1.1 <dead@old.example.net>: User unknown\n550 5.1.1 <ann@example.org>: User unknown',
  '550 5.1.1 <ann@example.org>: Recipient address rejected: undeliverable address: host mx.example.net[192.0.2.9] said: 550 5.1.1 <dead@old.example.net>: User unknown (in reply to RCPT TO command)',
])('an address that may not be the rejected one changes nothing: %j', text => {
  expect(judged(text).event).toBe('email.bounced')
})

test('if the recipient is not known, a reply that names an address is a bounce', () => {
  expect(judged('550 5.1.1 <dead@old.example.net>: User unknown', { recipient: undefined }).event).toBe(
    'email.bounced',
  )
})

test('another failure reason is kept even if the reply names a different address', () => {
  expect(judged('552 5.2.2 <dead@old.example.net>: Mailbox full')).toMatchObject({ reason: 'mailbox_full' })
  expect(judged('550 5.1.8 <dead@old.example.net>: Sender address rejected')).toMatchObject({
    reason: 'sender_rejected',
  })
})
