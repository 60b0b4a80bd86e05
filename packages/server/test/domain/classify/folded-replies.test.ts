import { expect, test } from 'vitest'
import { classify } from '../../../src/domain/classify/classify.ts'
import { readDeliveryStatus } from '../../../src/mail/delivery-status.ts'
import { rawOutcomeOf } from '../../../src/mail/raw-outcome-of.ts'

const host = 'host mx.example.com[192.0.2.1] said:'

/** Classifies a bounce message with this Diagnostic-Code, with or without a status. */
function fromReport(diagnosticCode: string, status = '5.0.0', text = '') {
  const fields = diagnosticCode === '' ? '' : `\nDiagnostic-Code: ${diagnosticCode}`
  const report = readDeliveryStatus(
    `Reporting-MTA: dns; mx.acme.test\n\nFinal-Recipient: rfc822; ann@example.com\nAction: failed\nStatus: ${status}${fields}`,
  )
  const [recipient] = report.recipients
  if (recipient === undefined) throw new Error('no recipient was found')
  const raw = rawOutcomeOf({ ...report, text }, recipient)
  return raw === null ? null : classify(raw)
}

const refusals = [
  [550, 'invalid content in message (in reply to end of DATA command)'],
  [554, 'Unknown HELO, go away (in reply to MAIL FROM command)'],
  [550, 'Unknown host (in reply to RCPT TO command)'],
  [550, 'Domain not found (in reply to RCPT TO command)'],
] as const

test.each(refusals)('a reply code at the end of a folded line is read: %i %s', (code, words) => {
  const expected = { event: 'email.failed', data: { smtp_response: { code } } }
  for (const fold of ['\n    ', '\r\n\t', '\r\n ']) {
    expect(fromReport(`X-Postfix; ${host} ${code}${fold}${words}`)).toMatchObject(expected)
    const text = `${host} ${code}${fold}${words}`
    expect(
      classify({ disposition: 'permanent', reply: { text }, recipientDomain: 'example.com' }),
    ).toMatchObject(expected)
  }
})

test.each(refusals)(
  'the classification does not depend on where the line is folded: %i %s',
  (code, words) => {
    const whole = `X-Postfix; ${host} ${code} ${words}`
    const unfolded = fromReport(whole)
    const spaces = [...whole.matchAll(/ /g)].map(({ index }) => index)
    for (const at of spaces.slice(1)) {
      expect(fromReport(`${whole.slice(0, at)}\n    ${whole.slice(at + 1)}`)).toEqual(unfolded)
    }
  },
)

test('an unknown user is recognised wherever the line is folded', () => {
  const whole = `X-Postfix; ${host} 550 5.1.1 <ann@example.com>: Recipient address rejected: User unknown (in reply to RCPT TO command)`
  const unfolded = fromReport(whole)
  expect(unfolded).toMatchObject({ event: 'email.bounced', reason: 'invalid_recipient' })
  for (const { index } of [...whole.matchAll(/ /g)].slice(1)) {
    expect(fromReport(`${whole.slice(0, index)}\n    ${whole.slice(index + 1)}`)).toEqual(unfolded)
  }
})

test('a number at the start of a folded line is not a reply code', () => {
  const text = `${host} 451 4.7.1 You have exceeded the limit of\n    550 messages to unknown users`
  expect(classify({ disposition: 'permanent', reply: { text } })).toMatchObject({
    event: 'email.failed',
    data: { smtp_response: { code: 451 } },
  })
})

test('the transcript of a bounce message is read together with its continuation lines', () => {
  const lines = [
    'The mail system',
    '',
    `<ann@example.com>: ${host} 550`,
    '    5.1.1 <ann@example.com>: over quota (in reply to RCPT TO',
    '    command)',
    '',
    'Reporting-MTA: none',
  ].join('\n')
  expect(fromReport('', '5.0.0', lines)).toMatchObject({ event: 'email.failed', reason: 'mailbox_full' })
})

test('the stage is recognised across a fold', () => {
  const text = `${host} 550 5.1.1 User unknown (in\n    reply to MAIL FROM\n    command)`
  expect(classify({ disposition: 'permanent', reply: { text } })).toMatchObject({
    event: 'email.failed',
    data: { failure: { stage: 'mail_from' } },
  })
})
