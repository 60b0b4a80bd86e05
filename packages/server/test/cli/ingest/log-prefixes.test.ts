import { expect, test } from 'vitest'
import { options, read } from './read-lines.ts'

test.each([
  ['traditional', 'Nov 21 04:00:01 mx postfix/smtp[7]: '],
  ['of a one-digit day', 'Nov  1 04:00:01 mx postfix/smtp[7]: ', Date.UTC(2026, 10, 1, 4, 0, 1)],
  ['of last year', 'Dec 31 23:59:59 mx postfix/smtp[7]: ', Date.UTC(2025, 11, 31, 23, 59, 59)],
  ['of a leap day', 'Feb 29 04:00:01 mx postfix/smtp[7]: ', Date.UTC(2024, 1, 29, 4, 0, 1)],
  ['ISO', '2026-11-21T05:00:01.123456+01:00 mx postfix/smtp[7]: ', Date.UTC(2026, 10, 21, 4, 0, 1, 123)],
  ['of journalctl', '2026-11-21T05:00:01+0100 mx postfix/smtp[7]: '],
  ['RFC 3339 with lower-case letters', '2026-11-21t04:00:01z mx postfix/smtp[7]: '],
  ['of a leap second', '2016-12-31T23:59:60.5Z mx postfix/smtp[7]: ', Date.UTC(2017, 0, 1, 0, 0, 0, 500)],
  ['RFC 5424', '<22>1 2026-11-21T04:00:01Z mx postfix/smtp 7 - - '],
  [
    'RFC 5424 with data and a byte order mark',
    '<22>1 2026-11-21T04:00:01Z mx postfix/smtp 7 - [a b="c"] \uFEFF',
  ],
  [
    'RFC 5424 with several elements',
    '<22>1 2026-11-21T04:00:01Z mx postfix/smtp 7 ID47 [a@1 b="c\\"]"][d@1 e="f"] ',
  ],
  ['short-full of journalctl', 'Sat 2026-11-21 04:00:01 UTC mx postfix/smtp[7]: '],
  ['short-full of journalctl in local time', 'Sat 2026-11-21 04:00:01 CET mx postfix/smtp[7]: '],
  ['short-precise of journalctl', 'Nov 21 04:00:01.123456 mx postfix/smtp[7]: '],
  [
    'short-unix of journalctl',
    '1795233601.250000 mx postfix/smtp[7]: ',
    Date.UTC(2026, 10, 21, 4, 0, 1, 250),
  ],
  ['of a host in capitals', '2026-11-21T04:00:01Z MX postfix/smtp[7]: '],
  ['of busybox', 'Nov 21 04:00:01 mx mail.info postfix/smtp[7]: '],
  ['of busybox without a host', 'Nov 21 04:00:01 mail.info postfix/smtp[7]: '],
  ['of FreeBSD with a facility', 'Nov 21 04:00:01 <mail.info> mx postfix/smtp[7]: '],
  ['of Docker with times', '2026-11-21T04:00:01.000000000Z postfix/smtp[7]: '],
  ['of Docker around syslog', '2026-11-21T09:00:01.5Z Nov 21 04:00:01 mx postfix/smtp[7]: '],
  ['of Compose', 'mail-1  | Nov 21 04:00:01 mx postfix/smtp[7]: '],
  ['of Compose with times', 'mail-1  | 2026-11-21T04:00:01.000000000Z postfix/smtp[7]: '],
  ['of Kubernetes', '2026-11-21T05:00:01.000000000+01:00 stdout F postfix/smtp[7]: '],
  ['of Kubernetes around syslog', '2026-11-21T09:00:01.5Z stderr F Nov 21 04:00:01 mx postfix/smtp[7]: '],
  ['without a time', 'postfix/smtp[7]: ', options.latestMs],
  ['without any prefix', '', options.latestMs],
  ['of an instance with any name', 'Nov 21 04:00:01 mx mailout/smtp[7]: '],
  ['of a program with any name', 'Nov 21 04:00:01 mx postfix_out/smtp[7]: '],
  ['of another instance', 'Nov 21 04:00:01 mx postfix-out/smtp[7]: '],
  ['of a transport with a name', 'Nov 21 04:00:01 mx postfix/relay/smtp[7]: '],
])('reads a line in the form %s', (_, head, atMs = Date.UTC(2026, 10, 21, 4, 0, 1)) => {
  const { outcomes } = read(
    `${head}4F00A1: to=<ann@example.org>, relay=mx[192.0.2.7]:25, delay=1, delays=0/0/0/1, dsn=5.1.1, status=bounced (host mx[192.0.2.7] said: 550 5.1.1 No (in reply to RCPT TO command))`,
  )
  expect(outcomes).toMatchObject([{ disposition: 'permanent', recipient: 'ann@example.org', atMs }])
})

const bounce =
  '4F00A1: to=<ann@example.org>, relay=mx[192.0.2.7]:25, delay=1, delays=0/0/0/1, dsn=5.1.1, status=bounced (550 No)'

test.each([
  [
    'journalctl',
    {
      __REALTIME_TIMESTAMP: '1795233601250000',
      _HOSTNAME: 'mx',
      SYSLOG_IDENTIFIER: 'postfix/smtp',
      MESSAGE: bounce,
    },
  ],
  [
    'journalctl with bytes',
    {
      __REALTIME_TIMESTAMP: '1795233601250000',
      SYSLOG_IDENTIFIER: 'postfix/smtp',
      MESSAGE: [...Buffer.from(bounce)],
    },
  ],
  [
    'a container in journald',
    {
      __REALTIME_TIMESTAMP: '1795233601250000',
      CONTAINER_NAME: 'mail',
      SYSLOG_IDENTIFIER: 'a1b2c3',
      MESSAGE: `postfix/smtp[7]: ${bounce}`,
    },
  ],
  [
    'the json-file driver of Docker',
    { log: `postfix/smtp[7]: ${bounce}\n`, stream: 'stdout', time: '2026-11-21T04:00:01.25Z' },
  ],
])('reads a line in the JSON of %s', (_, entry) => {
  expect(read(JSON.stringify(entry)).outcomes).toMatchObject([
    { disposition: 'permanent', reason: '550 No', atMs: Date.UTC(2026, 10, 21, 4, 0, 1, 250) },
  ])
})

test('lines of other programs are told from lines that are no log at all', () => {
  const lines = ['Nov 21 04:00:01 mx dovecot[1]: imap-login: bye', 'type,timeLogged', '{"a":1}', '\0\xff']
  expect(read(lines.join('\n')).passedOver).toEqual([
    'unrelated',
    'not_understood',
    'not_understood',
    'not_understood',
  ])
})
