import { expect, test } from 'vitest'
import { classify } from '../../../src/domain/classify/classify.ts'
import { PostfixLog } from '../../../src/cli/ingest/postfix-log.ts'
import { at, options, read } from './read-lines.ts'

const begun = (queueId: string, from = 'bounces+abc@mail.acme.test'): string[] => [
  at(0, 'smtpd', `${queueId}: client=localhost[127.0.0.1]`),
  at(0, 'cleanup', `${queueId}: message-id=<a1@mail.acme.test>`),
  at(0, 'qmgr', `${queueId}: from=<${from}>, size=512, nrcpt=1 (queue active)`),
]

test('a delivery includes the sender and the Message-ID from earlier lines', () => {
  const { outcomes } = read(
    [
      ...begun('4dCdQ01kN9z1Xx'),
      at(
        1,
        'smtp',
        '4dCdQ01kN9z1Xx: to=<ann@example.org>, relay=mx1.example.org[192.0.2.7]:25, conn_use=2, delay=0.5, delays=0.1/0/0.2/0.2, dsn=2.0.0, status=sent (250 2.0.0 Ok: queued as 4dCdQ25)',
      ),
      at(1, 'qmgr', '4dCdQ01kN9z1Xx: removed'),
    ].join('\n'),
  )
  expect(outcomes).toEqual([
    {
      disposition: 'accepted',
      from: 'bounces+abc@mail.acme.test',
      messageId: 'a1@mail.acme.test',
      header: null,
      isPerRecipient: false,
      recipient: 'ann@example.org',
      origTo: null,
      relay: 'mx1.example.org[192.0.2.7]:25',
      dsn: '2.0.0',
      reason: '250 2.0.0 Ok: queued as 4dCdQ25',
      attempts: 1,
      atMs: Date.UTC(2026, 10, 21, 4, 0, 1),
    },
  ])
})

const bounce =
  '4F00A1: to=<ann@example.org>, relay=mx[192.0.2.7]:25, delay=1, delays=0/0/0/1, dsn=5.1.1, status=bounced (550 No)'

test('the sender is found if the delivering program logs under a name of its own', () => {
  const from = 'bounces+abc@mail.acme.test'
  const sender = at(0, 'qmgr', `4F00A1: from=<${from}>, size=512, nrcpt=1 (queue active)`)
  const sent = `Nov 21 04:00:01 mx mailout/smtp[7]: ${bounce}`
  expect(read([sender, sent].join('\n')).outcomes).toMatchObject([{ from }])
  // two mails with this queue id: it may be either
  const other = sender.replace('postfix/', 'postfix-two/').replace(from, 'other@acme.test')
  expect(read([sender, other, sent].join('\n')).outcomes).toMatchObject([{ from: null }])
})

test('results from smtp, lmtp, local, error and cleanup are read', () => {
  const end = (program: string, tail: string) =>
    read([...begun('4F00A1'), at(1, program, `4F00A1: to=<ann@example.org>, ${tail}`)].join('\n'))
  const dispositions = (program: string, tail: string) =>
    end(program, tail).outcomes.map(({ disposition }) => disposition)
  const lmtp = 'relay=mx[private/dovecot-lmtp], delay=0, delays=0/0/0/0, dsn=2.0.0, status=sent (250 Saved)'
  expect(dispositions('lmtp', lmtp)).toEqual(['accepted'])
  const local = 'relay=local, delay=0, delays=0/0/0/0, dsn=5.1.1, status=bounced (unknown user: "ann")'
  expect(dispositions('local', local)).toEqual(['permanent'])
  const error = 'relay=none, delay=0, delays=0/0/0/0, dsn=5.0.0, status=bounced (mail for x is refused)'
  expect(dispositions('error', error)).toEqual(['permanent'])
  const cleanup = 'relay=none, delay=0, delays=0/0/0/0, dsn=5.3.4, status=bounced (message file too big)'
  expect(dispositions('cleanup', cleanup)).toEqual(['permanent'])
  const tls = 'relay=mx[192.0.2.7]:25, delay=0, delays=0/0/0/0, tls=TLSv1.3, dsn=2.0.0, status=sent (250 Ok)'
  expect(dispositions('smtp', tls)).toEqual(['accepted'])
})

test('a line that is not a delivery is skipped with its reason', () => {
  const passes = (program: string, tail: string) =>
    read(at(1, program, `4F00A1: to=<ann@example.org>, ${tail}`)).passedOver
  const rest = 'delay=0, delays=0/0/0/0, dsn=2.0.0'
  expect(passes('discard', `relay=none, ${rest}, status=sent (discarded)`)).toEqual(['discarded'])
  expect(passes('smtp', `relay=none, ${rest}, status=sent (discarded)`)).toEqual(['discarded'])
  expect(passes('smtp', `relay=mx[::1]:25, ${rest}, status=deliverable (250 Ok)`)).toEqual(['probe'])
  expect(passes('smtp', `relay=mx[::1]:25, ${rest}, status=undeliverable (550 No)`)).toEqual(['probe'])
  expect(passes('local', `relay=local, ${rest}, status=sent (forwarded as 4F00B2)`)).toEqual(['handed_on'])
  expect(passes('smtp', `relay=mx[::1]:25, ${rest}, status=swallowed (250 Ok)`)).toEqual(['unreadable'])
  expect(passes('smtp', 'relay=mx[::1]:25')).toEqual(['unreadable'])
})

test('mail that a content filter puts back into the queue does not count as delivered', () => {
  const filtered = (next: string) =>
    read(
      [
        ...begun('4F00A1'),
        ...begun('4F00B2'),
        at(
          1,
          'smtp',
          `4F00A1: to=<ann@example.org>, relay=127.0.0.1[127.0.0.1]:10024, delay=0, delays=0/0/0/0, dsn=2.0.0, status=sent (250 2.0.0 from MTA(smtp:[127.0.0.1]:10025): 250 2.0.0 Ok: queued as ${next})`,
        ),
      ].join('\n'),
    )
  expect(filtered('4F00B2')).toMatchObject({ outcomes: [], passedOver: ['handed_on'] })
  // the queue id belongs to another server
  expect(filtered('4F00C3').outcomes).toMatchObject([{ disposition: 'accepted' }])
})

test('a 250 from a relay that is not the last hop is ignored, but its rejection counts', () => {
  const line = (status: string) =>
    at(
      1,
      'smtp',
      `4F00A1: to=<ann@example.org>, relay=smtp.example.net[192.0.2.9]:587, delay=0, delays=0/0/0/0, dsn=2.0.0, status=${status}`,
    )
  for (const name of ['smtp.example.net', 'smtp.example.net:587']) {
    const smarthosts = new Set([name])
    expect(read(line('sent (250 Ok)'), { smarthosts }).passedOver).toEqual(['handed_on'])
    expect(read(line('bounced (550 No)'), { smarthosts }).outcomes).toHaveLength(1)
  }
  expect(read(line('sent (250 Ok)'), { smarthosts: new Set(['example.net']) }).outcomes).toHaveLength(1)
})

test('when a mail expires, only its pending recipients get an outcome, with their last reason', () => {
  const deferred = (to: string, reason: string) =>
    at(
      1,
      'smtp',
      `4F00A1: to=<${to}>, relay=none, delay=9, delays=0/0/9/0, dsn=4.4.1, status=deferred (${reason})`,
    )
  const { outcomes, passedOver } = read(
    [
      ...begun('4F00A1'),
      deferred('ann@example.org', 'connect to mx[192.0.2.7]:25: Connection refused'),
      deferred('bob@example.org', 'connect to mx[192.0.2.7]:25: Connection refused'),
      deferred('ann@example.org', 'host mx[192.0.2.7] said: 451 4.7.1 Later (in reply to RCPT TO command)'),
      at(
        2,
        'smtp',
        '4F00A1: to=<bob@example.org>, relay=mx[192.0.2.7]:25, delay=9, delays=0/0/9/0, dsn=2.0.0, status=sent (250 Ok)',
      ),
      at(3, 'qmgr', '4F00A1: from=<bounces+abc@mail.acme.test>, status=expired, returned to sender'),
      at(3, 'qmgr', '4F00A1: removed'),
    ].join('\n'),
  )
  // only the first deferral of each recipient is an outcome
  expect(passedOver).toEqual(['deferred'])
  expect(outcomes).toMatchObject([
    { disposition: 'temporary', recipient: 'ann@example.org', attempts: 1 },
    { disposition: 'temporary', recipient: 'bob@example.org', attempts: 1 },
    { disposition: 'accepted', recipient: 'bob@example.org', attempts: 2 },
    {
      disposition: 'expired',
      recipient: 'ann@example.org',
      from: 'bounces+abc@mail.acme.test',
      reason: 'host mx[192.0.2.7] said: 451 4.7.1 Later (in reply to RCPT TO command)',
      attempts: 2,
    },
  ])
})

test('force-expired counts as expired, and deletion by an administrator counts as cancelled', () => {
  const waiting = [
    ...begun('4F00A1'),
    at(
      1,
      'error',
      '4F00A1: to=<ann@example.org>, relay=none, delay=1, delays=0/0/0/1, dsn=4.0.0, status=deferred (suspended)',
    ),
  ]
  const forced = at(
    2,
    'qmgr',
    '4F00A1: from=<bounces+abc@mail.acme.test>, status=force-expired, returned to sender',
  )
  expect(read([...waiting, forced].join('\n')).outcomes).toMatchObject([
    { disposition: 'temporary' },
    { disposition: 'expired' },
  ])
  const deleted = at(2, 'postsuper', '4F00A1: removed')
  expect(read([...waiting, deleted].join('\n')).outcomes).toMatchObject([
    { disposition: 'temporary' },
    { disposition: 'cancelled' },
  ])
})

test('mails with the same queue id on two instances or two hosts are kept apart', () => {
  const lines = ['mx postfix', 'mx postfix-out', 'mx2 postfix'].flatMap((place, n) => [
    `Nov 21 04:00:00 ${place}/qmgr[1]: 4F00A1: from=<sender${n}@acme.test>, size=1, nrcpt=1 (queue active)`,
  ])
  const ends = ['mx postfix', 'mx postfix-out', 'mx2 postfix'].map(
    place =>
      `Nov 21 04:00:01 ${place}/smtp[1]: 4F00A1: to=<ann@example.org>, relay=mx[::1]:25, delay=0, delays=0/0/0/0, dsn=2.0.0, status=sent (250 Ok)`,
  )
  expect(read([...lines, ...ends].join('\n')).outcomes.map(({ from }) => from)).toEqual([
    'sender0@acme.test',
    'sender1@acme.test',
    'sender2@acme.test',
  ])
})

test('a reused queue id belongs only to the new mail', () => {
  const end = at(
    1,
    'smtp',
    '4F00A1: to=<ann@example.org>, relay=mx[::1]:25, delay=0, delays=0/0/0/0, dsn=2.0.0, status=sent (250 Ok)',
  )
  const { outcomes } = read(
    [...begun('4F00A1'), at(1, 'pickup', '4F00A1: uid=0 from=<root>'), end].join('\n'),
  )
  expect(outcomes).toMatchObject([{ from: null, messageId: null }])
})

test('the configured header is read from the lines that header_checks logs', () => {
  const { outcomes } = read(
    [
      at(
        0,
        'cleanup',
        '4F00A1: info: header X-Email-ID: order-1234 from app[10.0.0.5]; from=<shop@acme.test> to=<ann@example.org> proto=ESMTP helo=<app>',
      ),
      at(
        0,
        'cleanup',
        '4F00A1: info: header X-Other: no from app[10.0.0.5]; from=<shop@acme.test> to=<ann@example.org> proto=ESMTP helo=<app>',
      ),
      ...begun('4F00A1').slice(1),
      at(
        1,
        'smtp',
        '4F00A1: to=<ann@example.org>, relay=mx[::1]:25, delay=0, delays=0/0/0/0, dsn=2.0.0, status=sent (250 Ok)',
      ),
    ].join('\n'),
    { header: 'x-email-id' },
  )
  expect(outcomes).toMatchObject([{ header: 'order-1234' }])
})

test('a parser restored from saved memory continues in the middle of a mail', () => {
  const { log } = read(
    [
      ...begun('4F00A1'),
      at(
        1,
        'smtp',
        '4F00A1: to=<__proto__>, relay=none, delay=1, delays=0/0/0/1, dsn=4.4.1, status=deferred (refused)',
      ),
    ].join('\n'),
  )
  const second = new PostfixLog(JSON.parse(JSON.stringify(log.memory())))
  const expired = at(
    2,
    'qmgr',
    '4F00A1: from=<bounces+abc@mail.acme.test>, status=expired, returned to sender',
  )
  expect(second.take(expired, options)).toMatchObject([
    { disposition: 'expired', recipient: '__proto__', from: 'bounces+abc@mail.acme.test', reason: 'refused' },
  ])
})

test('the classifier understands Postfix’s own messages', () => {
  const event = (dsn: string, reason: string) =>
    classify({
      disposition: 'permanent',
      reply: { reportedStatus: dsn, text: reason },
      recipientDomain: 'example.org',
    }).event
  expect(
    event('5.1.1', 'host mx[192.0.2.7] said: 550 5.1.1 User unknown (in reply to RCPT TO command)'),
  ).toBe('email.bounced')
  expect(event('5.1.0', 'Domain example.org does not accept mail (nullMX)')).toBe('email.bounced')
  expect(event('5.4.6', 'mail for example.org loops back to myself')).toBe('email.failed')
})
