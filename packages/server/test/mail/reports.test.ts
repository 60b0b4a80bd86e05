import { describe, expect, test } from 'vitest'
import { classify } from '../../src/domain/classify/classify.ts'
import { rawOutcomeOf } from '../../src/mail/raw-outcome-of.ts'
import { readDeliveryReport } from '../../src/mail/read-report.ts'
import { reportSamples } from './report-samples.ts'

test.each(reportSamples)('a report is read and classified: $form', async ({ mail, recipients }) => {
  const report = await readDeliveryReport(Buffer.from(mail))
  const seen = report?.recipients.map(found => {
    const raw = rawOutcomeOf(report, found)
    return {
      recipient: found.finalRecipient ?? found.originalRecipient,
      action: found.action,
      status: found.status,
      event: (raw === null ? null : classify(raw).event) ?? 'none',
    }
  })
  expect(seen).toEqual(recipients)
})

const mail = (status: string): Buffer =>
  Buffer.from(
    [
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'Your message was not delivered.',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      status,
      '--b--',
      '',
    ].join('\r\n'),
  )

/** CPU time of parsing in milliseconds, the best of three. */
async function costOf(text: string): Promise<number> {
  const bytes = Buffer.from(text)
  const costs: number[] = []
  for (let round = 0; round < 3; round++) {
    const before = process.cpuUsage()
    await readDeliveryReport(bytes)
    costs.push(process.cpuUsage(before).user / 1_000)
  }
  return Math.min(...costs)
}

describe('hostile mails', () => {
  const lists = {
    'groups without end': 'a:b@c.example;'.repeat(50_000),
    'groups in groups': 'a:'.repeat(200_000),
    'folded groups': 'a:b@c.example;\r\n '.repeat(15_000),
    colons: ':'.repeat(200_000),
    'comments in comments': '('.repeat(400_000),
    'comments beside comments': '(a) '.repeat(100_000),
    'quotes in quotes': String.raw`"\"`.repeat(100_000),
    'quotes beside quotes': '"a" '.repeat(100_000),
    'angle brackets': '<a> '.repeat(100_000),
    addresses: 'ann@example.org, '.repeat(25_000),
    words: '=?utf-8?Q?a?= '.repeat(30_000),
  }

  test.each(
    ['From', 'To', 'Cc', 'Reply-To', 'Delivered-To', 'Return-Path', 'List-Unsubscribe', 'Subject'].flatMap(
      field => Object.entries(lists).map(([what, list]) => [field, what, list] as const),
    ),
  )('%s with %s costs no more than a mail without it', async (field, _what, list) => {
    const report = mail('Final-Recipient: rfc822; a@example.org\r\nAction: failed').toString()
    const plain = await costOf(`${report}${'x'.repeat(700_000)}`)
    const hostile = `${field}: ${list}\r\n${report}`
    expect(await costOf(hostile)).toBeLessThan(plain * 4 + 25)
    expect((await readDeliveryReport(Buffer.from(hostile)))?.recipients).toHaveLength(1)
  })

  test('a header field repeated thousands of times costs little, and the report after it is read', async () => {
    const report = mail('Final-Recipient: rfc822; a@example.org\r\nAction: failed').toString()
    const plain = await costOf(`${report}${'x'.repeat(700_000)}`)
    const hostile = `${'To: a:a:a:b@c.example;;;\r\n'.repeat(15_000)}${report}`
    expect(await costOf(hostile)).toBeLessThan(plain * 4 + 100)
    expect((await readDeliveryReport(Buffer.from(hostile)))?.recipients).toHaveLength(1)
  })

  test('a mail that is not a report is not read as one', async () => {
    expect(await readDeliveryReport(Buffer.from('Subject: hello\r\n\r\nStatus: 5.1.1\r\n'))).toBeNull()
    expect(await readDeliveryReport(Buffer.alloc(0))).toBeNull()
    expect(await readDeliveryReport(Buffer.from([0xff, 0xfe, 0, 1, 2, 3]))).toBeNull()
  })

  test('a report at the beginning of a 9 MiB mail is read, and a mail without one yields none', async () => {
    const report = mail('Final-Recipient: rfc822; a@example.org\r\nAction: failed\r\n')
    const large = Buffer.concat([report, Buffer.alloc(9 * 1024 * 1024, 'a line\n')])
    expect((await readDeliveryReport(large))?.recipients).toHaveLength(1)
    expect(await readDeliveryReport(Buffer.alloc(9 * 1024 * 1024, 'a'))).toBeNull()
  })

  // the given number of lines before the report, and of lines that may begin a part
  const late = (lines: number, partLines: number): string =>
    [
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
      '',
      '--b',
      ...Array.from({ length: lines }, () => ''),
      ...Array.from({ length: partLines }, () => '--b'),
      'Content-Type: message/delivery-status',
      '',
      'Final-Recipient: rfc822; a@example.org',
    ].join('\n')
  const passedOn = (inner: string): string => `Content-Type: message/rfc822\n\n${inner}`

  test.each([
    ['lines', late(15_000, 1), late(25_000, 1)],
    ['parts', late(1, 400), late(1, 600)],
    ['lines of mails in it', passedOn(late(8_000, 1)), passedOn(late(12_000, 1))],
    ['parts of mails in it', passedOn(late(1, 200)), passedOn(late(1, 300))],
  ])('the %s that are read are limited', async (_what, within, beyond) => {
    expect((await readDeliveryReport(Buffer.from(within)))?.recipients).toHaveLength(1)
    expect(await readDeliveryReport(Buffer.from(beyond))).toBeNull()
  })

  test('the number of groups and the length of a field are limited', async () => {
    const group = 'Final-Recipient: rfc822; a@example.org\r\nAction: failed\r\n\r\n'
    const many = await readDeliveryReport(mail(group.repeat(5_000)))
    expect(many?.recipients).toHaveLength(200)
    const long = await readDeliveryReport(
      mail(`Final-Recipient: rfc822; a@example.org\r\nDiagnostic-Code: smtp;${'\r\n x'.repeat(100_000)}`),
    )
    expect(long?.recipients[0]?.diagnosticCode?.length).toBeLessThanOrEqual(8_192)
  })

  test('the depth of nesting is limited', async () => {
    let inner = mail('Final-Recipient: rfc822; a@example.org\r\nAction: failed').toString()
    for (let depth = 0; depth < 5; depth++) {
      const boundary = `o${depth}`
      inner = [
        `Content-Type: multipart/mixed; boundary=${boundary}`,
        '',
        `--${boundary}`,
        'Content-Type: message/rfc822',
        '',
        inner,
        `--${boundary}--`,
      ].join('\r\n')
    }
    expect(await readDeliveryReport(Buffer.from(inner))).toBeNull()
    const deep = Array.from(
      { length: 500 },
      (_, n) => `Content-Type: multipart/mixed; boundary=x${n}\r\n\r\n--x${n}\r\n`,
    )
    expect(await readDeliveryReport(Buffer.from(deep.join('')))).toBeNull()
  })
})
