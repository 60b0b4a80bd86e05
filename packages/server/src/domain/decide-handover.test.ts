import { expect, test } from 'vitest'
import {
  decideHandover,
  handoverMsMax,
  isAboutTheEmail,
  refusesToRelay,
  type Submission,
} from './decide-handover.ts'

const rules = { isFinalHop: false, retryBaseMs: 5_000 }
const first = { tries: 1, ageMs: 1_000, fraction: 0.5 }
const refused = (
  stage: 'mail_from' | 'rcpt_to' | 'data' | 'end_of_data' | 'auth' | 'connect',
  code: number,
): Submission => ({
  kind: 'refused',
  stage,
  code,
  reply: `${code} no`,
})

test('an accepted email is only handed_over, unless the server is the final hop', () => {
  const accepted: Submission = { kind: 'accepted', reply: '250 2.0.0 Ok: queued as 4XYZ' }
  expect(decideHandover(accepted, first, rules)).toEqual({ kind: 'handed_over' })
  expect(decideHandover(accepted, first, { ...rules, isFinalHop: true })).toEqual({
    kind: 'outcome',
    disposition: 'accepted',
  })
})

test('a permanent rejection of the email is an outcome at once, at any command', () => {
  for (const stage of ['mail_from', 'rcpt_to', 'data', 'end_of_data'] as const) {
    expect(decideHandover(refused(stage, 550), first, rules)).toEqual({
      kind: 'outcome',
      disposition: 'permanent',
    })
  }
})

test('a temporary, login or connection failure is retried until the email expires', () => {
  const others = [refused('auth', 535), refused('connect', 554), refused('rcpt_to', 450)]
  for (const submission of [
    ...others,
    { kind: 'unreachable', stage: 'connect', reply: 'refused' } as const,
  ]) {
    expect(decideHandover(submission, first, rules)).toEqual({ kind: 'again', inMs: 3_750 })
    expect(decideHandover(submission, { ...first, ageMs: handoverMsMax }, rules)).toEqual({
      kind: 'outcome',
      disposition: 'expired',
    })
  }
})

test('the delays double up to ten minutes and are never 0', () => {
  const waitMs = (tries: number, fraction: number): number => {
    const verdict = decideHandover(refused('rcpt_to', 450), { ...first, tries, fraction }, rules)
    return verdict.kind === 'again' ? verdict.inMs : Number.NaN
  }
  expect([1, 2, 3, 4].map(tries => waitMs(tries, 0))).toEqual([2_500, 5_000, 10_000, 20_000])
  expect(waitMs(500, 0.999_999)).toBeLessThanOrEqual(600_000)
  expect(waitMs(500, 0)).toBe(300_000)
})

test.each([530, 534, 535, 538])('%i at any command means a login problem, so the email is retried', code => {
  for (const stage of ['mail_from', 'rcpt_to', 'data', 'end_of_data'] as const) {
    expect(isAboutTheEmail(refused(stage, code))).toBe(false)
    expect(decideHandover(refused(stage, code), first, rules)).toMatchObject({ kind: 'again' })
    expect(decideHandover(refused(stage, code), { ...first, ageMs: handoverMsMax }, rules)).toMatchObject({
      disposition: 'expired',
    })
  }
})

test.each([
  '554 5.7.1 <ann@example.org>: Relay access denied',
  '550 5.7.1 Unable to relay for ann@example.org',
  '550-5.7.1 relaying denied\n550 5.7.1 log in first',
  '553 sorry, that domain is not in my list of allowed rcpthosts; relaying not permitted',
])('a relay that denies relaying causes a retry, not an outcome: %s', reply => {
  const submission: Submission = { kind: 'refused', stage: 'rcpt_to', code: Number(reply.slice(0, 3)), reply }
  for (const relay of [rules, { ...rules, isFinalHop: true, hasLogin: true }]) {
    expect(refusesToRelay(submission, relay)).toBe(true)
    expect(decideHandover(submission, first, relay)).toMatchObject({ kind: 'again' })
  }
  // it has only its own mailboxes, and the address is in another domain
  const finalHop = { ...rules, isFinalHop: true }
  expect(decideHandover(submission, first, finalHop)).toEqual({ kind: 'outcome', disposition: 'permanent' })
})

test.each([
  ['mail_from', '550 5.7.1 Authentication required'],
  ['mail_from', '503 5.5.1 Error: authentication required'],
  ['mail_from', '550 5.7.57 Client was not authenticated to send anonymous mail during MAIL FROM'],
  [
    'mail_from',
    '550-Please turn on SMTP Authentication in your mail client.\n550 Administrative prohibition',
  ],
  ['mail_from', '501 5.7.8 Invalid login'],
  ['mail_from', '524 5.7.11 Change your password'],
  ['mail_from', '523 5.7.10 Encryption needed'],
  ['mail_from', '554 5.7.0 Must issue a STARTTLS command first'],
  ['mail_from', '554 5.7.1 Relay access denied'],
  ['rcpt_to', '503 5.5.1 You must authenticate first'],
  ['rcpt_to', '550 5.7.8 Authentication credentials invalid'],
  ['rcpt_to', '553 5.7.1 <news@shop.example>: Sender address rejected: not logged in'],
] as const)('a server that requires a login under any code causes a retry: %s %s', (stage, reply) => {
  const submission: Submission = { kind: 'refused', stage, code: Number(reply.slice(0, 3)), reply }
  expect(refusesToRelay(submission, rules)).toBe(true)
  expect(decideHandover(submission, first, rules)).toMatchObject({ kind: 'again' })
})

test('a server with its own mailboxes can permanently reject a recipient’s account', () => {
  const reply = '525 5.7.13 Account disabled'
  const submission: Submission = { kind: 'refused', stage: 'rcpt_to', code: 525, reply }
  const finalHop = { ...rules, isFinalHop: true }
  expect(decideHandover(submission, first, finalHop)).toEqual({ kind: 'outcome', disposition: 'permanent' })
})

test.each([
  ['rcpt_to', '550 5.7.1 RESOLVER.RST.AuthRequired; authentication required'],
  ['rcpt_to', '550 5.7.10 Encryption needed'],
  ['rcpt_to', '525 5.7.13 The account of the recipient is disabled'],
  ['mail_from', '550 5.7.1 SPF authentication is required'],
  ['mail_from', '553 5.7.1 Sender address rejected: not owned by user post'],
  ['end_of_data', '554 5.7.1 Relay access denied'],
  ['end_of_data', '550 5.7.1 Authentication required'],
] as const)('a rejection that may concern the email is an outcome: %s %s', (stage, reply) => {
  const submission: Submission = { kind: 'refused', stage, code: Number(reply.slice(0, 3)), reply }
  expect(decideHandover(submission, first, rules)).toEqual({ kind: 'outcome', disposition: 'permanent' })
})

test.each([
  '550 5.1.1 <relay@example.org>: User unknown',
  '551 5.1.6 User has moved',
  '554 5.7.1 <ann@example.org>: Recipient address rejected: Access denied',
  '550 5.7.1 Message rejected due to spam content',
])('a rejection of the recipient or the message is an outcome: %s', reply => {
  const submission: Submission = { kind: 'refused', stage: 'rcpt_to', code: Number(reply.slice(0, 3)), reply }
  expect(decideHandover(submission, first, rules)).toEqual({ kind: 'outcome', disposition: 'permanent' })
})
