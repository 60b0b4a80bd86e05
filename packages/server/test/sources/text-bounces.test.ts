import { describe, expect, test } from 'vitest'
import { call, operatorToken } from '../http/test-app.ts'
import { textSamples } from '../mail/text-samples.ts'
import type { TextSample } from '../mail/text-samples/text-sample.ts'
import { verbBackends } from '../support/test-database.ts'
import { type Reported, useSourceApp } from './source-app.ts'

describe.each(verbBackends())('bounces in words on $name', backend => {
  const { app, sent, event, mailsIgnored } = useSourceApp(backend)

  const take = async (mail: string, recipient?: string): Promise<Reported> => {
    const query = recipient === undefined ? '' : `?recipient=${encodeURIComponent(recipient)}`
    const answer = await call(app(), 'POST', `/v1/sources/message${query}`, {
      as: operatorToken,
      payload: Buffer.from(mail.replaceAll('\n', '\r\n')),
      headers: { 'content-type': 'message/rfc822' },
    })
    if (answer.status !== 202) throw new Error(JSON.stringify(answer.body))
    return answer.body as unknown as Reported
  }
  const reasons = ({ ignored }: Reported): string[] => ignored.map(({ reason }) => reason)
  const mailOf = (sample: Omit<TextSample, 'form' | 'expect'>, headers: readonly string[] = []): string =>
    [
      `From: ${sample.from ?? 'Mail Delivery System <MAILER-DAEMON@mx.example.org>'}`,
      `Subject: =?utf-8?B?${Buffer.from(sample.subject).toString('base64')}?=`,
      ...headers,
      '',
      sample.text,
    ].join('\n')
  const withType = ['Content-Type: text/plain; charset=utf-8']
  const dead = {
    subject: 'failure notice',
    text: '<ann@example.org>:\nSorry, no mailbox here by that name. (#5.1.1)\n',
  }

  test.each(textSamples)('a mail to a return path has the right event: $form', async sample => {
    const { returnPaths } = await sent()
    const { events, ignored } = await take(mailOf(sample, withType), returnPaths[0])
    if (sample.expect === 'none') {
      expect([events, ignored]).toEqual([
        [],
        [{ index: 0, reason: expect.stringMatching(/^(?:temporary|not_a_report)$/) }],
      ])
      return
    }
    const found = await event(events[0])
    expect(found).toMatchObject({ type: sample.expect, to: ['ann@example.org'] })
    const { bounce, failure } = found as Record<
      'bounce' | 'failure',
      { category: string; reason: string } | undefined
    >
    if (sample.reason !== undefined) expect(bounce?.category ?? failure?.reason).toBe(sample.reason)
  })

  test('each message to a genuine return path that creates no event is counted with its reason', async () => {
    const [returnPath = ''] = (await sent()).returnPaths
    const answer = { subject: 'Out of office', text: 'I am away until Monday.' }
    const delayed = { subject: 'Warning: delayed', text: 'Your mail will be retried for 4 more days.' }
    const forged = returnPath.replace(/.(?=@)/, last => (last === '0' ? '1' : '0'))
    mailsIgnored.length = 0
    await take(mailOf(answer, withType), forged)
    await take(mailOf(answer, ['To: office@acme.example', ...withType]))
    expect(mailsIgnored).toEqual([])
    await take(mailOf(answer, ['Auto-Submitted: auto-replied', ...withType]), returnPath)
    await take(mailOf(delayed, withType), returnPath)
    await take(mailOf(answer, [`To: ${returnPath}`, ...withType]))
    expect(mailsIgnored).toEqual(['not_a_report', 'temporary', 'not_a_report'])
    await take(mailOf(dead), returnPath)
    expect(mailsIgnored).toHaveLength(3)
    await take(mailOf(dead), returnPath)
    expect(mailsIgnored.at(-1)).toBe('duplicate')
  })

  test('a bounce in HTML is read without its styles', async () => {
    const html =
      '<style>p { color: red }</style><p>Not delivered:<br>&lt;ann@example.org&gt;<br>550&nbsp;User&#32;unknown</p>'
    const { events } = await take(
      mailOf({ subject: 'failure notice', text: html }, ['Content-Type: text/html']),
      (await sent()).returnPaths[0],
    )
    expect(await event(events[0])).toMatchObject({
      type: 'email.bounced',
      smtp_response: { code: 550, message: 'User unknown' },
    })
  })

  test('a bounce in words counts once, is asynchronous, and carries its text', async () => {
    const { id, returnPaths } = await sent()
    const { events } = await take(mailOf(dead), returnPaths[0])
    expect(await event(events[0])).toMatchObject({
      type: 'email.bounced',
      email_id: id,
      recipient: 'ann@example.org',
      bounce: { timing: 'asynchronous' },
      smtp_response: { enhanced_code: '5.1.1', message: expect.stringContaining('no mailbox here') },
      decided_by:
        'The text of the bounce message has the enhanced status code 5.1.1: the mailbox does not exist.',
    })
    expect(reasons(await take(mailOf(dead), returnPaths[0]))).toEqual(['duplicate'])
    expect(reasons(await take(mailOf(dead, ['X-Again: yes']), returnPaths[0]))).toEqual(['superseded'])
  })

  test('the return path is also found in the header, and must be genuine', async () => {
    const [path = ''] = (await sent()).returnPaths
    const forged = path.replace(/.(?=@)/, last => (last === '0' ? '1' : '0'))
    expect(reasons(await take(mailOf(dead, [`To: ${forged}`])))).toEqual(['unverified'])
    expect(reasons(await take(mailOf(dead, ['To: somebody@acme.test'])))).toEqual(['not_a_report'])
    expect(await take(mailOf(dead, [`To: <${path}>`]))).toMatchObject({ accepted: 1 })
  })

  test.each([
    ['from a person', { ...dead, from: 'Ann <ann@example.org>' }, ['Return-Path: <ann@example.org>']],
    ['that a vacation program sent', dead, ['X-Autoreply: yes']],
    ['that says so', dead, ['Precedence: auto_reply']],
    ['from a mailing list', dead, ['List-Id: <news.example.org>']],
  ])('a mail %s is no bounce, whatever it says', async (_, sample, headers) => {
    const [path = ''] = (await sent()).returnPaths
    expect(reasons(await take(mailOf(sample, headers), path))).toEqual(['not_a_report'])
    expect(await take(mailOf(dead), path)).toMatchObject({ accepted: 1 })
  })

  const group = [
    'Reporting-MTA: dns; mx.example.org',
    '',
    'Final-Recipient: rfc822; ann@example.org',
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 User unknown',
    '',
  ].join('\n')
  const multipart = (type: string, boundary = 'b', text = 'It was not delivered.'): string =>
    [
      'From: MAILER-DAEMON@mx.example.org',
      'Subject: Undelivered mail',
      `Content-Type: multipart/report; report-type=delivery-status; boundary="${boundary}"`,
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      text,
      '--b',
      `Content-Type: ${type}`,
      '',
      group,
      '--b--',
      '',
    ].join('\n')

  test.each([
    ['in a part of another type', multipart('message/xdelivery-status')],
    ['in a text part', multipart('text/plain')],
    ['in an attached text', multipart('text/plain; name=status.txt\nContent-Disposition: attachment')],
    ['behind damaged boundaries', multipart('message/delivery-status', 'other')],
    ['in the only text', `From: MAILER-DAEMON@mx.example.org\nSubject: Report\n\n${group}`],
    [
      'indented',
      `From: MAILER-DAEMON@mx.example.org\nSubject: Report\n\n${group.replace(/^(?=.)/gm, '    ')}`,
    ],
  ])('status fields count %s', async (_, mail) => {
    const { events } = await take(mail, (await sent()).returnPaths[0])
    expect(await event(events[0])).toMatchObject({
      type: 'email.bounced',
      bounce: { category: 'invalid_recipient', evidence: 'enhanced_status_code' },
    })
  })

  test('a status part without a recipient leaves the decision to the text, and never nothing', async () => {
    const [path = ''] = (await sent()).returnPaths
    const bare = (text: string): string =>
      multipart('message/delivery-status', 'b', text).replace(/Final-Recipient[^]*User unknown\n/, '')
    expect(reasons(await take(bare('Hello'), (await sent()).returnPaths[0]))).toEqual([])
    const { events } = await take(bare('<ann@example.org>: 550 5.1.1 User unknown'), path)
    expect(await event(events[0])).toMatchObject({ type: 'email.bounced' })
  })

  test('the status fields of a delay create no event', async () => {
    const [path = ''] = (await sent()).returnPaths
    const delayed = multipart('text/plain').replace('Action: failed', 'Action: delayed')
    expect(reasons(await take(delayed, path))).toEqual(['temporary'])
  })
})
