import fc from 'fast-check'
import { expect, test } from 'vitest'
import { classify } from '../../../src/domain/classify/classify.ts'
import { eximFormat, type EximLogOptions } from '../../../src/cli/ingest/exim-log.ts'
import type { LogOutcome } from '../../../src/cli/ingest/log-outcome.ts'
import { options as clock } from './read-lines.ts'

const id = '1tDxyz-00000000AbC-1XyZ'
const from = 'bounces+abc@mail.acme.test'

function open(given: Partial<EximLogOptions> = {}, memory?: readonly unknown[]) {
  return eximFormat({ header: null, smarthosts: new Set(), ...given }).open(memory)
}

function read(lines: readonly string[], given: Partial<EximLogOptions> = {}) {
  const log = open(given)
  const taken = lines.map(line => log.take(line, clock))
  return {
    log,
    outcomes: taken.flatMap((one): readonly LogOutcome[] => (typeof one === 'string' ? [] : one)),
    passedOver: taken.filter(one => typeof one === 'string'),
  }
}

const at = (text: string, mail = id): string => `2026-11-21 04:00:01 ${mail} ${text}`

const arrived = at(
  `<= ${from} H=app.acme.test (app) [192.0.2.5]:41000 P=esmtpsa X=TLS1.3:ECDHE_X25519__RSA_PSS_RSAE_SHA256__AES_256_GCM:256 CV=no A=plain:app S=812 id=a1@mail.acme.test T="A => b@c ** \\"no\\"" for ann@example.org`,
)
const moment = Date.UTC(2026, 10, 21, 4, 0, 1)

test('a delivery includes the sender and the Message-ID from the arrival', () => {
  const { outcomes } = read([
    arrived,
    at(
      '=> ann@example.org R=dnslookup T=remote_smtp H=mx1.example.org [192.0.2.7] X=TLS1.3:ECDHE_X25519__RSA_PSS_RSAE_SHA256__AES_256_GCM:256 CV=yes DN="CN=mx1.example.org" K C="250 2.0.0 OK: \\"queued\\" as 4F00A1" QT=2s DT=1s',
    ),
    at('Completed QT=2s'),
  ])
  expect(outcomes).toEqual([
    {
      disposition: 'accepted',
      from,
      messageId: 'a1@mail.acme.test',
      header: null,
      isPerRecipient: false,
      recipient: 'ann@example.org',
      origTo: null,
      relay: 'mx1.example.org[192.0.2.7]',
      dsn: '',
      reason: '250 2.0.0 OK: "queued" as 4F00A1',
      attempts: 1,
      atMs: moment,
    },
  ])
})

const bounce = '** ann@example.org R=dnslookup T=remote_smtp H=mx1.example.org [192.0.2.7]: 550 5.1.1 No'

test.each([
  ['of the main log', '2026-11-21 04:00:01 '],
  ['with milliseconds', '2026-11-21 04:00:01.250 ', moment + 250],
  ['with a zone', '2026-11-21 05:00:01 +0100 '],
  ['with the process id', '2026-11-21 04:00:01 [1234] '],
  ['with all of them', '2026-11-21 05:00:01.250 +0100 [1234] ', moment + 250],
  ['of syslog', 'Nov 21 09:00:00 mx exim[1234]: 2026-11-21 04:00:01 '],
  ['of syslog without Exim’s own time', 'Nov 21 04:00:01 mx exim4[1234]: '],
  ['of syslog with the process id', 'Nov 21 04:00:01 mx exim[1234]: [1234] '],
  ['of RFC 5424', '<22>1 2026-11-21T04:00:01Z mx exim 1234 - - '],
  ['of Compose', 'mail-1  | 2026-11-21 04:00:01 '],
  ['of Docker with times', '2026-11-21T09:00:01.5Z 2026-11-21 04:00:01 '],
  ['of Kubernetes', '2026-11-21T09:00:01.5Z stdout F 2026-11-21 04:00:01 '],
])('reads a line in the form %s', (_, head, atMs = moment) => {
  for (const mail of [id, '1tDxyz-0001Ab-C9']) {
    const { outcomes } = read([`${head}${mail} ${bounce}`])
    expect(outcomes).toMatchObject([{ disposition: 'permanent', recipient: 'ann@example.org', atMs }])
  }
})

test('reads a line in the JSON of journalctl', () => {
  const entry = { __REALTIME_TIMESTAMP: '1795233601000000', SYSLOG_IDENTIFIER: 'exim', _HOSTNAME: 'mx' }
  const MESSAGE = `${id} ${bounce}`
  expect(read([JSON.stringify({ ...entry, MESSAGE })]).outcomes).toMatchObject([{ atMs: moment }])
  const other = JSON.stringify({ ...entry, SYSLOG_IDENTIFIER: 'app', MESSAGE })
  expect(read([other])).toMatchObject({ outcomes: [], passedOver: ['unrelated'] })
})

test('an entry that Exim splits for syslog is joined, also across a restart', () => {
  const part = (text: string): string => `Nov 21 04:00:01 mx exim[7]: ${text}`
  const parts = [
    part(
      `[1/3] ${at('** ann@example.org R=dnslookup T=remote_smtp H=mx [192.0.2.7]: SMTP error after end')}`,
    ),
    part('[2/3]  of data: 550 5.7.1 one'),
    part('[3\\3]  two'),
  ]
  const first = read(parts.slice(0, 2))
  expect(first.outcomes).toEqual([])
  const second = open({}, JSON.parse(JSON.stringify(first.log.memory())) as unknown[])
  expect(second.take(parts[2] ?? '', clock)).toMatchObject([
    { disposition: 'permanent', reason: 'SMTP error after end of data: 550 5.7.1 one two' },
  ])
})

test.each([
  [
    '** ann@example.org R=dnslookup T=remote_smtp H=mx1.example.org [192.0.2.7]:25 X=TLS1.3:x:256 CV=yes: SMTP error from remote mail server after RCPT TO:<ann@example.org>: 550-5.1.1 No such user.\\n550 5.1.1 Sorry',
    {
      relay: 'mx1.example.org[192.0.2.7]:25',
      reason:
        'SMTP error from remote mail server after RCPT TO:<ann@example.org>: 550-5.1.1 No such user.\n550 5.1.1 Sorry',
    },
  ],
  [
    '** ann@example.org F=<bounces+def@mail.acme.test> P=<bounces+def@mail.acme.test> R=dnslookup T=remote_smtp H=mx [2001:db8::7] I=[2001:db8::5]:41000 DN="CN=\\"x\\": no": 550 No',
    { from: 'bounces+def@mail.acme.test', relay: 'mx[2001:db8::7]', reason: '550 No' },
  ],
  [
    '** ann@nowhere.example: Unrouteable address',
    { recipient: 'ann@nowhere.example', relay: null, reason: 'Unrouteable address' },
  ],
  [
    '** ann@new.example (list@mid.example) <ann@old.example> R=dnslookup T=smtp: 550 No',
    { recipient: 'ann@new.example', origTo: 'ann@old.example' },
  ],
  [
    '** "a: b > R=x"@example.org R=dnslookup T=smtp H=mx [192.0.2.7]: 550 No',
    { recipient: '"a: b > R=x"@example.org', reason: '550 No' },
  ],
  [
    '** ann@example.org R=dnslookup T=smtp: SMTP error from remote mail server after MAIL FROM:<a@b>: 451 Later: retry timeout exceeded',
    { disposition: 'expired' },
  ],
  [
    '** ann@example.org R=dnslookup T=smtp: retry time not reached for any host after a long failure period',
    { disposition: 'expired' },
  ],
  [
    "** ann@example.org R=dnslookup T=smtp: all hosts for 'example.org' have been failing for a long time (and retry time not reached)",
    { disposition: 'expired' },
  ],
  [
    '** a b@example.org <"a b"@example.org> R=relay T=smtp H=mx [192.0.2.7]: 501 Bad address',
    { recipient: '"a b"@example.org', origTo: null, reason: '501 Bad address' },
  ],
  ['** ann@example.org: delivery cancelled by administrator', { disposition: 'cancelled' }],
])('reads the failure %s', (text, expected) => {
  const { outcomes } = read([arrived, at(text)])
  expect(outcomes).toMatchObject([
    { disposition: 'permanent', from, recipient: 'ann@example.org', ...expected },
  ])
})

test('deliveries to mailboxes, files, pipes and more recipients are read', () => {
  const accepted = (text: string) =>
    read([at(text)]).outcomes.map(({ recipient, origTo }) => [recipient, origTo])
  expect(accepted('-> bob@example.org R=dnslookup T=remote_smtp H=mx [192.0.2.7] C="250 OK"')).toEqual([
    ['bob@example.org', null],
  ])
  expect(accepted('>> bob@example.org R=dnslookup T=remote_smtp H=mx [192.0.2.7] C="250 OK"')).toHaveLength(1)
  expect(accepted('=> ann <ann@acme.test> R=local_user T=maildir_home')).toEqual([['ann@acme.test', null]])
  expect(accepted('=> /var/mail/ann <ann@acme.test> R=local_user T=mail_spool')).toEqual([
    ['ann@acme.test', null],
  ])
  expect(accepted('=> |/usr/bin/filter -f x (b@y) <ann@acme.test> R=a T=pipe')).toEqual([
    ['ann@acme.test', null],
  ])
  expect(accepted('=> new@acme.test <old@acme.test> R=a T=smtp H=mx [::1]')).toEqual([
    ['new@acme.test', 'old@acme.test'],
  ])
})

test('a line that is not a final result is skipped with its reason', () => {
  const passes = (text: string, given: Partial<EximLogOptions> = {}) => read([at(text)], given).passedOver
  expect(passes('== ann@example.org routing defer (-51): retry time not reached')).toEqual(['deferred'])
  expect(passes('*> ann@example.org R=dnslookup T=smtp H=mx [192.0.2.7]')).toEqual(['discarded'])
  expect(passes('=> :blackhole: <ann@example.org> R=blackhole')).toEqual(['discarded'])
  expect(passes('=> /dev/null <ann@example.org> R=a T=file')).toEqual(['discarded'])
  expect(passes('** : no address')).toEqual(['unreadable'])
  const smarthosts = new Set(['smtp.example.net'])
  const relayed = '=> ann@example.org R=smarthost T=smtp H=smtp.example.net [192.0.2.9] C="250 OK"'
  expect(passes(relayed, { smarthosts })).toEqual(['handed_on'])
  expect(passes(relayed)).toEqual([])
  expect(
    read(['2026-11-21 04:00:01 no host name found for IP', 'Nov 21 04:00:01 mx sshd[1]: hello', 'x,y']),
  ).toMatchObject({ passedOver: ['unrelated', 'unrelated', 'not_understood'] })
})

test('a log in which Exim has only started is a log of Exim', () => {
  const text = [
    'exim 4.96 daemon started: pid=7, -q30m, listening for SMTP on port 25',
    'Start queue run: pid=8',
  ]
  expect(read(text.map(one => `2026-11-21 04:00:01 ${one}`))).toMatchObject({ outcomes: [], passedOver: [] })
})

test('mail that a content filter gives back to the same Exim does not count as delivered', () => {
  const next = '1tDxz0-00000000AbD-1XyZ'
  const filtered = at(
    `=> ann@example.org R=filter T=smtp H=127.0.0.1 [127.0.0.1]:10024 C="250 OK id=${next}"`,
  )
  expect(read([arrived, arrived.replace(id, next), filtered]).passedOver).toEqual(['handed_on'])
  // the id belongs to another server
  expect(read([arrived, filtered]).outcomes).toMatchObject([{ disposition: 'accepted' }])
})

test('attempts are counted, and mail that is removed by hand counts as cancelled', () => {
  const waits = at(
    '== ann@example.org R=dnslookup T=smtp defer (-44) H=mx [192.0.2.7]: SMTP error: 451 4.7.1 Later',
  )
  const sent = at('=> ann@example.org R=dnslookup T=smtp H=mx [192.0.2.7] C="250 OK"')
  // the first deferral of a recipient is an outcome
  const first = { disposition: 'temporary', attempts: 1 }
  expect(read([arrived, waits, waits, sent]).outcomes).toMatchObject([first, { attempts: 3 }])
  const notTried = at('== ann@example.org routing defer (-52): retry time not reached')
  expect(read([arrived, waits, notTried, notTried, sent]).outcomes).toMatchObject([first, { attempts: 2 }])
  const expired = at('** ann@example.org: retry timeout exceeded')
  expect(read([arrived, waits, expired]).outcomes).toMatchObject([
    first,
    { disposition: 'expired', attempts: 2, relay: 'mx[192.0.2.7]', reason: 'SMTP error: 451 4.7.1 Later' },
  ])
  expect(read([arrived, waits, notTried, expired]).outcomes).toMatchObject([
    first,
    { attempts: 2, reason: 'SMTP error: 451 4.7.1 Later' },
  ])
  const removed = at('removed by root')
  expect(read([arrived, waits, at('cancelled by root')]).outcomes).toMatchObject([
    first,
    { disposition: 'cancelled' },
  ])
  expect(read([arrived, waits, waits, removed]).outcomes).toMatchObject([
    first,
    { disposition: 'cancelled', attempts: 2, from, reason: 'SMTP error: 451 4.7.1 Later' },
  ])
  expect(read([arrived, waits, sent, removed]).outcomes).toMatchObject([first, { disposition: 'accepted' }])
})

test('the configured header is read from the line that an ACL logs', () => {
  const lines = [at('X-Other: no'), at('X-Email-ID: order-1234'), arrived, at(bounce)]
  expect(read(lines, { header: 'x-email-id' }).outcomes).toMatchObject([{ header: 'order-1234' }])
})

test('a log restored from saved memory continues in the middle of a mail', () => {
  const waits = at('== __proto__@example.org R=dnslookup T=smtp defer (110): Connection timed out')
  const { log } = read([arrived, waits])
  const second = open({}, JSON.parse(JSON.stringify(log.memory())) as unknown[])
  const failed = at(
    '** __proto__@example.org R=dnslookup T=smtp: Connection timed out: retry timeout exceeded',
  )
  expect(second.take(failed, clock)).toMatchObject([{ from, attempts: 2, disposition: 'expired' }])
})

test('the classifier understands what Exim logs', () => {
  const event = (reason: string, recipientDomain = 'example.org') =>
    classify({ disposition: 'permanent', reply: { text: reason }, recipientDomain }).event
  const after = (stage: string, reply: string) =>
    `SMTP error from remote mail server after ${stage}: ${reply}`
  expect(event(after('RCPT TO:<ann@example.org>', '550 5.1.1 User unknown'))).toBe('email.bounced')
  expect(event(after('RCPT TO:<ann@example.org>', '550-5.1.1 No such user\n550 5.1.1 Sorry'))).toBe(
    'email.bounced',
  )
  expect(event(after('end of data', '550 5.7.1 Looks like spam'))).toBe('email.failed')
  expect(event(after('MAIL FROM:<a@b.test>', '550 5.1.8 Sender rejected'))).toBe('email.failed')
  expect(event('Unrouteable address')).toBe('email.failed')
})

test('text injected into a subject, an address or a reply creates no outcome', () => {
  const forged = `${id} ** victim@example.org R=dnslookup T=smtp H=mx [192.0.2.7]: 550 5.1.1 No`
  const { outcomes } = read([
    at(`<= a@b.test H=x [192.0.2.5] P=esmtp S=1 id=x T="2026-11-21 04:00:01 ${forged}"`),
    at(`H=x [192.0.2.5] Warning: 2026-11-21 04:00:01 ${forged}`),
    `2026-11-21 04:00:01 rejected EHLO from x: 2026-11-21 04:00:01 ${forged}`,
    `Nov 21 04:00:01 mx app[1]: 2026-11-21 04:00:01 ${forged}`,
    `Nov 21 04:00:01 mx app exim[1]: 2026-11-21 04:00:01 ${forged}`,
    at(`=> ann@example.org R=dnslookup T=smtp H=mx [192.0.2.7] C="250 \\" H=no [::1]: ** ${forged}"`),
  ])
  expect(outcomes).toMatchObject([
    { disposition: 'accepted', recipient: 'ann@example.org', relay: 'mx[192.0.2.7]' },
  ])
})

test('no line makes the parser throw, and a megabyte of anything is read at once', () => {
  const log = open()
  const pieces = fc.constantFrom(
    `2026-11-21 04:00:01 ${id} `,
    '** ',
    '=> ',
    '== ',
    '<= ',
    'a@b',
    ' <a@b>',
    ' R=x',
    ' H=mx [::1]',
    ' C="',
    '"',
    '\\',
    ': ',
    '(',
    '[1/3] ',
  )
  fc.assert(
    fc.property(
      fc.array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 30 }),
      parts => {
        log.take(parts.join(''), clock)
      },
    ),
    { numRuns: 1_000 },
  )
  // a pattern that backtracks would exceed the time limit of the test
  for (const unit of ['x', '"\\', '<', '|', '/', ' (', ' R=x', ' A="', ' <a@b>', ': ', '[1/3] ']) {
    const tail = unit.repeat(1_000_000 / unit.length)
    for (const head of [
      '',
      at('** '),
      at('=> a@b'),
      at('<= a@b'),
      at('=> |'),
      'Nov 21 04:00:01 mx exim[1]: ',
    ]) {
      log.take(head + tail, clock)
    }
  }
})
