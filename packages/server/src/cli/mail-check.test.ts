import { expect, test } from 'vitest'
import { mailCheck } from './mail-check.ts'

const message = 'The mail server has not taken the email to 1 recipient, the oldest for 16 min.'
const mail = { waiting: 1, oldest_seconds: 960, last_reply: null, message, certificate_expires_at: null }

test('mail that waits is a note, and a problem after a quarter of an hour', () => {
  expect(mailCheck({ mail: { ...mail, message: null } })).toEqual([])
  expect(mailCheck({ mail: { ...mail, oldest_seconds: 700 } })).toMatchObject([{ state: 'note' }])
  expect(mailCheck({ mail })).toEqual([
    {
      name: 'Mail',
      state: 'broken',
      found: message.slice(0, -1),
      advice: 'Check POSTHORN_SMTP_URL and the log of the mail server',
    },
  ])
})
