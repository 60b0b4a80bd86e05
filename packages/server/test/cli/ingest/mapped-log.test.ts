import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { readLineMap, type LineMap } from '../../../src/cli/ingest/line-map.ts'
import type { LogOutcome } from '../../../src/cli/ingest/log-outcome.ts'
import { mappedFormat } from '../../../src/cli/ingest/mapped-log.ts'
import { mapNames, mapOf } from './open-logs.ts'
import { options as clock } from './read-lines.ts'

function read(map: LineMap, lines: readonly string[], memory?: readonly unknown[]) {
  const log = mappedFormat(map).open(memory)
  const taken = lines.map(line => log.take(line, clock))
  return {
    log,
    outcomes: taken.flatMap((one): readonly LogOutcome[] => (typeof one === 'string' ? [] : one)),
    passedOver: taken.filter(one => typeof one === 'string'),
  }
}

const from = 'bounces+abc@mail.acme.test'
const moment = Date.UTC(2026, 10, 21, 4, 0, 1)

test('the accounting file of PowerMTA is read by its header, also after a restart', () => {
  const header =
    'type,timeLogged,timeQueued,orig,rcpt,orcpt,dsnAction,dsnStatus,dsnDiag,dsnMta,bounceCat,dlvDestinationIp,header_X-Email-ID'
  const row = (type: string, status: string, diag: string, mta = 'mx1.example.org (192.0.2.7)') =>
    `${type},2026-11-21 04:00:01+0000,2026-11-21 04:00:00+0000,${from},ann@example.org,,failed,${status},${diag},${mta},bad-mailbox,192.0.2.7,order-1`
  const first = read(mapOf('powermta'), [
    header,
    row('d', '2.0.0 (success)', 'smtp;250 2.0.0 Ok'),
    row('b', '5.1.1 (bad destination mailbox address)', '"smtp;550 5.1.1 No ""ann"", sorry"'),
    row('b', '4.4.7 (delivery time expired)', '', ''),
    row('t', '4.2.1', 'smtp;451 4.2.1 Later'),
    row('r', '', ''),
    'x,y',
    'type,"not closed',
  ])
  const base = { from, recipient: 'ann@example.org', origTo: null, header: 'order-1', atMs: moment }
  expect(first.outcomes).toMatchObject([
    {
      ...base,
      disposition: 'accepted',
      dsn: '2.0.0',
      reason: '250 2.0.0 Ok',
      relay: 'mx1.example.org[192.0.2.7]',
    },
    { ...base, disposition: 'permanent', dsn: '5.1.1', reason: '550 5.1.1 No "ann", sorry' },
    { ...base, disposition: 'expired', relay: '192.0.2.7[192.0.2.7]' },
    { ...base, disposition: 'temporary', reason: '451 4.2.1 Later' },
  ])
  expect(first.passedOver).toEqual(['not_understood', 'not_understood'])
  const memory = JSON.parse(JSON.stringify(first.log.memory())) as unknown[]
  const second = read(mapOf('powermta'), ['type,timeLogged,rcpt', 'd,1795233601,bob@example.org'], memory)
  expect(second.outcomes).toMatchObject([
    { disposition: 'accepted', recipient: 'bob@example.org', from: null, atMs: moment },
  ])
  expect(read(mapOf('powermta'), [row('d', '', '')], memory).outcomes).toHaveLength(1)
  expect(read(mapOf('powermta'), [row('d', '', '')]).passedOver).toEqual(['not_understood'])
})

test('the lines of the Haraka plugin have one outcome for each recipient', () => {
  const line = (given: object) =>
    JSON.stringify({ at: '2026-11-21T04:00:01.000Z', from: `<${from}>`, email_id: 'order-1', ...given })
  const { outcomes, passedOver } = read(mapOf('haraka'), [
    line({
      hook: 'delivered',
      to: ['ann@example.org', '<bob@example.org>'],
      reply: '250 Ok',
      host: 'mx',
      ip: '::1',
    }),
    line({ hook: 'bounce', to: ['dead@example.org'], reply: '550 5.1.1 No' }),
    line({ hook: 'bounce', to: ['dead@example.org'], reply: 'Too many failures (451 Later)' }),
    line({ hook: 'bounce', to: [] }),
    line({ hook: 'other', to: ['ann@example.org'] }),
    '{"hook":',
    '7',
  ])
  const base = { from, header: 'order-1', atMs: moment }
  expect(outcomes).toMatchObject([
    { ...base, disposition: 'accepted', recipient: 'ann@example.org', relay: 'mx[::1]' },
    { ...base, disposition: 'accepted', recipient: 'bob@example.org' },
    { ...base, disposition: 'permanent', recipient: 'dead@example.org', reason: '550 5.1.1 No' },
    { ...base, disposition: 'expired' },
  ])
  expect(passedOver).toEqual(['unreadable', 'not_understood', 'not_understood'])
})

test('each event in a body of Stalwart is read', () => {
  const event = (type: string, data: object) => ({ id: '7', createdAt: '2026-11-21T04:00:01Z', type, data })
  const details = 'Code: 550, Enhanced code: 5.1.1, Message: User unknown'
  const { outcomes, passedOver } = read(mapOf('stalwart'), [
    JSON.stringify({
      events: [
        event('auth.success', {}),
        event('delivery.delivered', {
          from,
          to: 'ann@example.org',
          hostname: 'mx',
          code: 250,
          details: 'Ok',
        }),
        event('delivery.dsn-perm-fail', { from, to: ['dead@example.org'], hostname: 'mx', details }),
      ],
    }),
    JSON.stringify({ events: [event('delivery.dsn-temp-fail', { from, to: 'ann@example.org' })] }),
    JSON.stringify({ events: 7 }),
    JSON.stringify({ other: [] }),
  ])
  expect(outcomes).toMatchObject([
    { disposition: 'accepted', from, recipient: 'ann@example.org', relay: 'mx', reason: 'Ok', atMs: moment },
    { disposition: 'permanent', from, recipient: 'dead@example.org', reason: details },
    { disposition: 'temporary', from, recipient: 'ann@example.org' },
  ])
  expect(passedOver).toEqual(['not_understood'])
})

const opensmtpd = (text: string, tag = 'smtpd[7]'): string =>
  `Nov 21 04:00:01 mx ${tag}: 5df87c9b982c840c ${text}`
const delivery = (result: string, stat: string, to = '<ann@example.org>'): string =>
  opensmtpd(
    `mta delivery evpid=3d4c4a424797fe79 from=<${from}> to=${to} rcpt=<-> source="192.0.2.5" relay="192.0.2.7 (mx1.example.org)" delay=1s result="${result}" stat="${stat}"`,
  )

test('the log of OpenSMTPD is read, and text from outside cannot add a pair', () => {
  const map = mapOf('opensmtpd')
  const { outcomes, passedOver } = read(map, [
    opensmtpd('smtp connected address=192.0.2.9 host=x'),
    delivery('Ok', '250 2.0.0: f6e94209 Message accepted'),
    delivery('PermFail', '550 5.1.1 "ann" result="Ok" no'),
    delivery('TempFail', '451 Later'),
    delivery('Ok', '250', '<"x> result="PermFail" y"@example.org>'),
    'Nov 21 04:00:01 mx smtpd[7]: relay: Expire for 3d4c4a424797fe79: from=<a@b>, to=<ann@example.org>, rcpt=<old@example.org>, delay=4d, stat=Envelope expired',
    delivery('PermFail', '550 no').replace('smtpd', 'app'),
    'no pairs here',
  ])
  expect(outcomes).toMatchObject([
    {
      disposition: 'accepted',
      from,
      recipient: 'ann@example.org',
      origTo: null,
      relay: 'mx1.example.org[192.0.2.7]',
    },
    { disposition: 'permanent', reason: '550 5.1.1 "ann', atMs: moment },
    { disposition: 'temporary', reason: '451 Later' },
    { disposition: 'accepted', recipient: '"x> result="PermFail" y"@example.org' },
    { disposition: 'expired', recipient: 'ann@example.org', origTo: 'old@example.org' },
  ])
  expect(passedOver).toEqual(['unrelated', 'not_understood'])
})

test('a map with a mistake is refused with the place of the mistake', () => {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-map-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'map.json')
  const say = (text: string): string => {
    writeFileSync(path, text)
    try {
      readLineMap(path)
      return ''
    } catch (error) {
      return String(error)
    }
  }
  expect(say('{')).toContain('cannot read the map')
  const map = { format: 'csv', results: [{ when: {}, disposition: 'accepted' }], fields: { recipient: 'to' } }
  expect(say(JSON.stringify(map))).toBe('')
  expect(say(JSON.stringify({ ...map, fields: {} }))).toContain('fields.recipient: ')
  expect(say(JSON.stringify({ ...map, results: [{ when: {}, disposition: 'lost' }] }))).toContain(
    'results.0.disposition',
  )
  expect(say(JSON.stringify({ ...map, colums: [] }))).toContain('colums')
})

test('no line makes a parser throw, and a megabyte of anything is read at once', () => {
  const maps = mapNames.map(mapOf)
  const pieces = fc.constantFrom(
    '"',
    ',',
    '{',
    '}',
    '[',
    ']',
    ':',
    '\\',
    ' to=',
    '<',
    '>',
    'result="Ok"',
    'null',
    '"events":',
  )
  fc.assert(
    fc.property(
      fc.array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 30 }),
      parts => {
        for (const map of maps) read(map, [parts.join(''), opensmtpd(parts.join(''))])
      },
    ),
    { numRuns: 1_000 },
  )
  // a pattern that backtracks would exceed the time limit of the test
  for (const unit of ['x', '"', ',', '[', ' a="', ' a=<', ' a=', '""', '<"\\', ' a="b" c', '\u0000']) {
    const line = unit.repeat(Math.floor(1_000_000 / unit.length))
    for (const map of maps) read(map, [line, opensmtpd(line), delivery('Ok', line), `{"events":[${line}`])
  }
})
