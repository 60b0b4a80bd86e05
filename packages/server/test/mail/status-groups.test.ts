import { expect, test } from 'vitest'
import { classify } from '../../src/domain/classify/classify.ts'
import { readDeliveryStatus } from '../../src/mail/delivery-status.ts'
import { rawOutcomeOf } from '../../src/mail/raw-outcome-of.ts'

/** The result for each recipient's group; null if it is not an outcome. */
function verdicts(content: string) {
  const status = readDeliveryStatus(content)
  return status.recipients.map(recipient => {
    const raw = rawOutcomeOf({ ...status, text: '' }, recipient)
    const found = raw === null ? null : classify(raw)
    return [recipient.finalRecipient, found?.event ?? null, found?.reason ?? null]
  })
}

const ofAnn = (fields: string) =>
  verdicts(`Reporting-MTA: dns; mx.example.org\n\nFinal-Recipient: rfc822; ann@example.org\n${fields}`)[0]

test.each([
  ['an address that was verified', 'Action: deliverable\nStatus: 2.1.5'],
  ['an address that was verified in vain, when no mail was sent', 'Action: undeliverable\nStatus: 5.1.1'],
  ['an unknown action of class 2', 'Action: shelved\nStatus: 2.0.0'],
  ['a challenge', 'Status: 4.7.0'],
  ['no action of class 2', 'Status: 2.0.0'],
  ['an action that contradicts its status', 'Action: failed\nStatus: 2.1.5'],
  ['an unknown action alone', 'Action: shelved'],
  ['nothing', ''],
])('%s is not an outcome', (_what, fields) => {
  expect(ofAnn(fields)?.slice(0, 2)).toEqual(['ann@example.org', null])
})

test.each([
  ['Status: 5.1.1', 'email.bounced', 'invalid_recipient'],
  ['Action: shelved\nStatus: 5.1.1', 'email.bounced', 'invalid_recipient'],
  ['Diagnostic-Code: smtp; 550 5.1.1 User unknown', 'email.bounced', 'invalid_recipient'],
  [
    'Action: failed\nStatus: 2.0.0\nDiagnostic-Code: smtp; 550 5.2.2 Over quota',
    'email.failed',
    'mailbox_full',
  ],
  ['Action: failed\nStatus: 553 Exceeded maximum size', 'email.failed', 'message_too_large'],
])('without a known action the codes decide: %j', (fields, event, reason) => {
  expect(ofAnn(fields)).toEqual(['ann@example.org', event, reason])
})

test.each([
  [
    'X-Supplementary-Info: <mx.example.org #5.0.0 smtp; 550 Unknown User>',
    'email.bounced',
    'invalid_recipient',
  ],
  ['X-Acme-Diagnostic: smtp; 552 5.2.2 Over quota', 'email.failed', 'mailbox_full'],
  [
    'Diagnostic-Code: smtp; 550\nX-Acme-Diagnostic: said: 550 5.1.1 User unknown',
    'email.bounced',
    'invalid_recipient',
  ],
])('a reply in another field of the group is read: %j', (fields, event, reason) => {
  expect(ofAnn(`Action: failed\nStatus: 5.0.0\n${fields}`)).toEqual(['ann@example.org', event, reason])
})

test('a second recipient starts a new group even without an empty line before it', () => {
  const content = [
    'Reporting-MTA: dns; mx.example.org',
    'Original-Recipient: rfc822; ann@example.org',
    'Final-Recipient: rfc/822; ann@example.org',
    'Action: failed',
    'Status: 5.1.1',
    'Original-Recipient: rfc822; bob@example.org',
    'Final-Recipient: RFC 822; bob@example.org',
    'Action: failed',
    'Status: 5.2.2',
    'Diagnostic-Code: smtp; 552 5.2.2 Over quota',
  ].join('\n')
  expect(verdicts(content)).toEqual([
    ['ann@example.org', 'email.bounced', 'invalid_recipient'],
    ['bob@example.org', 'email.failed', 'mailbox_full'],
  ])
})

test('the second line of a reply belongs to the reply even if it is not indented', () => {
  const fields = [
    'Action: failed',
    'Status: 5.0.0',
    'Diagnostic-Code: smtp; 550-User unknown? You must authenticate',
    '550 relay to ann@example.org: denied',
    'Remote-MTA: dns; mx.example.org',
  ].join('\n')
  expect(ofAnn(fields)).toMatchObject(['ann@example.org', 'email.failed', 'relay_denied'])
})

test.each([
  'Ann <ann@example.org>',
  '"Ann" <ann@example.org>',
  '"Ann <a@b.example>" <ann@example.org>',
  '=?utf-8?q?Ann?= <ann@example.org> (home)',
  'Ann <ann@example.org',
  '<ann@example.org>',
  '< ann@example.org >',
  '<ann@example.org> (Ann (at home))',
  '(Ann) ann@example.org',
  "'ann@example.org'",
  '"ann@example.org"',
  '"<ann@example.org>"',
  '<"Ann" <ann@example.org>>',
  '<@relay.example.net:ann@example.org>',
  'ann@example.org',
])('an address is read without the text around it: %s', written => {
  for (const field of ['Final-Recipient', 'Original-Recipient']) {
    for (const type of ['rfc822; ', 'rfc822;', '']) {
      const [recipient] = readDeliveryStatus(`${field}: ${type}${written}\nAction: failed`).recipients
      expect([type, recipient?.finalRecipient ?? recipient?.originalRecipient]).toEqual([
        type,
        'ann@example.org',
      ])
    }
  }
})

test.each([
  '"ann"@example.org',
  '"ann lee"@example.org',
  '"a<b>c"@example.org',
  "o'ann@example.org",
  '"(a)"@example.org',
  'ann',
  '@example.org',
  '|/usr/bin/vacation',
])('text that belongs to an address stays: %s', written => {
  const [recipient] = readDeliveryStatus(`Final-Recipient: rfc822; ${written}\nAction: failed`).recipients
  expect(recipient?.finalRecipient).toBe(written)
  const [named] = readDeliveryStatus(`Final-Recipient: rfc822; Ann <${written}>\nAction: failed`).recipients
  if (written.includes('ann')) expect(named?.finalRecipient).toBe(written)
})
