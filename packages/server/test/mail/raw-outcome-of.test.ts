import { expect, test } from 'vitest'
import { classify } from '../../src/domain/classify/classify.ts'
import { readDeliveryStatus } from '../../src/mail/delivery-status.ts'
import { rawOutcomeOf } from '../../src/mail/raw-outcome-of.ts'

function verdictOn(fields: string, text = ''): string | null {
  const status = readDeliveryStatus(
    `Reporting-MTA: dns; mx.example.org\n\nFinal-Recipient: rfc822; ann@example.org\n${fields}`,
  )
  const [recipient] = status.recipients
  if (recipient === undefined) throw new Error('no recipient was found')
  const raw = rawOutcomeOf({ ...status, text }, recipient)
  return raw === null ? null : classify(raw).event
}

test.each([
  ['Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 User unknown', 'email.bounced'],
  ['Action: failed\nStatus: 5.2.2\nDiagnostic-Code: smtp; 552 5.2.2 Over quota', 'email.failed'],
  ['Action: delayed\nStatus: 4.4.7', null],
  ['Action: delivered\nStatus: 2.0.0', 'email.delivered'],
  ['Action: relayed\nStatus: 2.1.9', null],
  ['Action: expanded\nStatus: 2.0.0', null],
  ['Action: expired', 'email.failed'],
])('%j → %s', (fields, event) => {
  expect(verdictOn(fields)).toBe(event)
})

test('without a diagnostic code, a reply in the text decides if it names this recipient', () => {
  const fields = 'Action: failed\nStatus: 5.0.0'
  const text = 'ann@example.org: 550 5.1.1 User unknown\nbob@example.org: 552 5.2.2 Mailbox full'
  expect(verdictOn(fields, text)).toBe('email.bounced')
  expect(verdictOn(fields, 'bob@example.org: 550 5.1.1 User unknown')).toBe('email.failed')
  expect(verdictOn(fields, 'Dear Ann, this user does not exist.')).toBe('email.failed')
})

test('without a diagnostic code, the reason that Exim writes below the address decides', () => {
  const fields = 'Action: failed\nStatus: 5.0.0'
  const reason = '    an MX or SRV record indicated no SMTP service'
  const intro = 'The following address(es) failed:\n\n'
  expect(verdictOn(fields, `${intro}  ann@example.org\n${reason}\n`)).toBe('email.bounced')
  expect(verdictOn(fields, `${intro}  ann@example.org\n    Unrouteable address\n`)).toBe('email.failed')
  // only in Exim's layout
  expect(verdictOn(fields, `${intro}  bob@example.org\n${reason}\n`)).toBe('email.failed')
  expect(verdictOn(fields, `ann@example.org\n${reason}\n`)).toBe('email.failed')
})
