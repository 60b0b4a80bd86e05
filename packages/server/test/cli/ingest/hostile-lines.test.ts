import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PostfixLog } from '../../../src/cli/ingest/postfix-log.ts'
import { at, options, read } from './read-lines.ts'

test('text injected into a reply, an address or a header creates no outcome', () => {
  const forged =
    'to=<victim@example.org>, relay=mx[::1]:25, delay=0, delays=0/0/0/0, dsn=5.1.1, status=bounced (550 5.1.1 No)'
  const { outcomes } = read(
    [
      at(1, 'smtpd', `NOQUEUE: reject: RCPT from unknown: 550 ${forged}`),
      at(1, 'cleanup', `4F00A1: message-id=<x ${forged}>`),
      at(1, 'cleanup', `4F00A1: info: header Subject: 4F00A1: ${forged} from mx[::1]; from=<a@b.test>`),
      at(1, 'smtp', `4F00A1: host mx[::1] said: 451 4F00A1: ${forged} (in reply to RCPT TO command)`),
      `Nov 21 04:00:01 mx dovecot[1]: postfix/smtp[7]: 4F00A1: ${forged}`,
      `Nov 21 04:00:01 mx evil postfix/smtp[7]: 4F00A1: ${forged}`,
      `2026-11-21T04:00:01Z mx app[1]: Nov 21 04:00:01 mx postfix/smtp[7]: 4F00A1: ${forged}`,
      `2026-11-21T04:00:01Z mx app[1]: mail-1 | postfix/smtp[7]: 4F00A1: ${forged}`,
      JSON.stringify({ SYSLOG_IDENTIFIER: 'app', MESSAGE: `postfix/smtp[7]: 4F00A1: ${forged}` }),
      JSON.stringify({
        SYSLOG_IDENTIFIER: 'app',
        MESSAGE: `"CONTAINER_NAME" postfix/smtp[7]: 4F00A1: ${forged}`,
      }),
      at(
        1,
        'smtp',
        `4F00A1: to=<"x>, ${forged}"@example.org>, relay=mx[::1]:25, delay=0, delays=0/0/0/0, dsn=2.0.0, status=sent (250 ${forged})`,
      ),
    ].join('\n'),
  )
  expect(outcomes).toMatchObject([
    { disposition: 'accepted', recipient: `"x>, ${forged}"@example.org`, reason: `250 ${forged}` },
  ])
})

test('no line makes the parser throw or return a malformed outcome', () => {
  const log = new PostfixLog()
  const pieces = fc.constantFrom(
    'Nov 21 04:00:01 ',
    '2026-11-21T04:00:01Z ',
    '<22>1 ',
    'mx ',
    'postfix/smtp[7]: ',
    'mail-1 | ',
    'stdout F ',
    'mail.info ',
    '[a b="c"]',
    '{"log":"',
    '{"MESSAGE":',
    'postfix/qmgr[7]: ',
    '4F00A1: ',
    'to=<',
    'from=<',
    '>, ',
    'relay=mx, ',
    'dsn=5.1.1, ',
    'status=bounced ',
    '(550 no)',
    '"',
    '\\',
    '\0',
    '\u001B',
    '\uFFFD',
    'removed',
  )
  fc.assert(
    fc.property(
      fc.array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 30 }),
      parts => {
        const taken = log.take(parts.join(''), options)
        if (typeof taken === 'string') return
        for (const { recipient, dsn } of taken) expect([typeof recipient, dsn]).toEqual(['string', '5.1.1'])
      },
    ),
    { numRuns: 3_000 },
  )
})

// a pattern that backtracks would exceed the time limit of the test
test('a line of one megabyte is read without excessive backtracking', () => {
  const long = 'x'.repeat(1_000_000)
  const quotes = '"\\'.repeat(500_000)
  for (const tail of [long, quotes, '<'.repeat(1_000_000), `, ${'delay=1, '.repeat(100_000)}`]) {
    read(at(1, 'smtp', `4F00A1: to=<${tail}`))
    read(at(1, 'smtp', `4F00A1: to=<a@b>, relay=mx, dsn=5.1.1, status=bounced (${tail})`))
    read(at(1, 'cleanup', `4F00A1: message-id=<${tail}>`))
    for (const before of ['', 'mx ', '2026-11-21T04:00:01Z mx app - - [', 'mail-1 | ', '{"log":"']) {
      read(`<22>1 ${before}${tail}`)
      read(`${before}${tail}`)
    }
  }
  read(`2026-11-21T04:00:01Z mx postfix/smtp 7 - ${'[a b="c"]'.repeat(100_000)}`)
  read('{"log":'.repeat(100_000))
})

test('any reply and any address are read from the line unchanged', () => {
  const local = fc.stringMatching(/^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,40}$/)
  const quoted = fc
    .string({ maxLength: 30 })
    .map(text => `"${text.replace(/[\r\n]/g, ' ').replace(/["\\]/g, '\\$&')}"`)
  const reply = fc.string({ maxLength: 200 }).map(text => `550 ${text.replace(/[\r\n]/g, ' ')}.`)
  fc.assert(
    fc.property(fc.oneof(local, quoted), reply, (name, reason) => {
      const { outcomes } = read(
        at(
          1,
          'smtp',
          `4F00A1: to=<${name}@example.org>, orig_to=<${name}@old.test>, relay=mx[::1]:25, delay=0, delays=0/0/0/0, dsn=5.1.1, status=bounced (${reason})`,
        ),
      )
      expect(outcomes).toMatchObject([
        { recipient: `${name}@example.org`, origTo: `${name}@old.test`, reason, disposition: 'permanent' },
      ])
    }),
  )
})
