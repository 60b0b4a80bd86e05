import { expect, test } from 'vitest'
import { sumWaitingMail, toMailHealth, waitingMailSentence } from './waiting-mail.ts'

test('mail that is on its way is not worth a sentence, and refused or old mail is', () => {
  const none = { waiting: 0, oldestSeconds: 0, lastReply: null }
  expect(waitingMailSentence(none)).toBeNull()
  expect(waitingMailSentence({ waiting: 70, oldestSeconds: 50, lastReply: null })).toBeNull()
  expect(waitingMailSentence({ waiting: 1, oldestSeconds: 7, lastReply: '451 4.3.0 Try again' })).toBe(
    'The mail server has not taken the email to 1 recipient, the oldest for 7 s. Its last reply: “451 4.3.0 Try again”.',
  )
  expect(waitingMailSentence({ waiting: 5, oldestSeconds: 7_300, lastReply: null })).toBe(
    'The mail server has not taken the email to 5 recipients, the oldest for 2 h: no process has offered it.',
  )
})

test('of several databases, counts are added and the oldest email decides', () => {
  const [young, old] = [
    { waiting: 3, oldestSeconds: 10, lastReply: 'a' },
    { waiting: 4, oldestSeconds: 90, lastReply: 'b' },
  ]
  expect(sumWaitingMail([young, old])).toEqual({ waiting: 7, oldestSeconds: 90, lastReply: 'b' })
  expect(sumWaitingMail([young, { ...old, lastReply: null }]).lastReply).toBe('a')
  expect(sumWaitingMail([])).toEqual({ waiting: 0, oldestSeconds: 0, lastReply: null })
})

test('of several databases, the certificate that expires first counts, and unknown ones do not', () => {
  const none = { waiting: 0, oldestSeconds: 0, lastReply: null }
  const expiring = (certificateExpiresAtMs: number | null) => ({ ...none, certificateExpiresAtMs })
  expect(toMailHealth([expiring(null)]).certificate_expires_at).toBeNull()
  expect(
    toMailHealth([expiring(null), expiring(86_400_000), expiring(3_600_000)]).certificate_expires_at,
  ).toBe('1970-01-01T01:00:00.000Z')
})
