import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { call, newCustomer, operatorToken } from '../http/test-app.ts'
import { verbBackends } from '../support/test-database.ts'
import { reportSamples } from '../mail/report-samples.ts'
import { bareComplaint, bounceMail, complaintMail, plainMail, statusGroup } from './mails.ts'
import { type Reported, useSourceApp } from './source-app.ts'

describe.each(verbBackends())('report mails on $name', backend => {
  const { app, customer, sent, event } = useSourceApp(backend)

  const take = async (
    mail: string | Buffer,
    { recipient, as = operatorToken, headers = {} }: Taking = {},
  ): Promise<Reported> => {
    const query = recipient === undefined ? '' : `?recipient=${encodeURIComponent(recipient)}`
    const answer = await call(app(), 'POST', `/v1/sources/message${query}`, {
      as,
      payload: mail,
      headers: { 'content-type': 'message/rfc822', ...headers },
    })
    if (answer.status !== 202) throw new Error(JSON.stringify(answer.body))
    return answer.body as unknown as Reported
  }
  interface Taking {
    recipient?: string
    as?: string
    headers?: Record<string, string>
  }
  const reasons = ({ ignored }: Reported): string[] => ignored.map(({ reason }) => reason)

  test('a bounce message to one of our return paths bounces its recipient once', async () => {
    const email = await sent()
    const mail = bounceMail(email.returnPaths[0] ?? '', [statusGroup('ann@example.org')])
    const { events } = await take(mail)
    expect(await event(events[0])).toMatchObject({
      type: 'email.bounced',
      email_id: email.id,
      recipient: 'ann@example.org',
      bounce: { category: 'invalid_recipient', timing: 'asynchronous' },
      reporting_mta: 'mx.example.org',
      remote_mta: { name: 'mx1.example.org' },
      metadata: { order_id: 1234 },
    })
    expect(await take(mail)).toMatchObject({
      accepted: 0,
      ignored: [{ reason: 'duplicate', event_id: events[0] }],
    })
    expect(reasons(await take(`${mail}again`))).toEqual(['superseded'])
  })

  test('a bounce message without a valid token creates no event', async () => {
    const email = await sent()
    const [path = ''] = email.returnPaths
    const group = statusGroup('ann@example.org')
    const forged = path.replace(/.(?=@)/, last => (last === '0' ? '1' : '0'))
    expect(reasons(await take(bounceMail('ann@example.org', [group])))).toEqual(['unverified'])
    expect(reasons(await take(bounceMail(forged, [group])))).toEqual(['unverified'])
    expect(reasons(await take(bounceMail(email.unsubscribe[0] ?? '', [group])))).toEqual(['unverified'])
    // the envelope takes precedence over the mail
    expect(reasons(await take(bounceMail(path, [group]), { recipient: forged }))).toEqual(['unverified'])
    const other = await newCustomer(app())
    expect(reasons(await take(bounceMail(path, [group]), { as: other.apiKey }))).toEqual(['unverified'])
    expect(await take(bounceMail(path, [group]), { as: customer().apiKey })).toMatchObject({ accepted: 1 })
  })

  test('among several recipients only ours counts; a single different one is a forward target', async () => {
    const several = await sent()
    const groups = [
      statusGroup('eve@example.org'),
      statusGroup('ann@example.org'),
      statusGroup('bob@example.org'),
    ]
    expect(await take(bounceMail(several.returnPaths[0] ?? '', groups))).toMatchObject({
      accepted: 1,
      ignored: [
        { index: 0, reason: 'other_recipient' },
        { index: 2, reason: 'other_recipient' },
      ],
    })
    const forwarded = await sent()
    const { events } = await take(bounceMail(forwarded.returnPaths[0] ?? '', [statusGroup('ann@gone.test')]))
    expect(await event(events[0])).toMatchObject({
      to: ['ann@example.org'],
      failure: { reason: 'forward_failed', final_recipient: 'ann@gone.test' },
    })
  })

  test('delays and relays are not outcomes, and an expired mail is a failure', async () => {
    const email = await sent()
    const about = async (given: object) =>
      await take(bounceMail(email.returnPaths[0] ?? '', [statusGroup('ann@example.org', given)]))
    expect(reasons(await about({ action: 'delayed', status: '4.4.1' }))).toEqual(['temporary'])
    expect(reasons(await about({ action: 'relayed', status: '2.0.0' }))).toEqual(['not_an_outcome'])
    const { events } = await about({ status: '4.4.7', code: 'smtp; 450 4.1.1 User unknown' })
    expect(await event(events[0])).toMatchObject({ type: 'email.failed' })
  })

  test.each(['abuse', 'opt-out'])(
    'a complaint (%s) unsubscribes once, even if it is sent again in another encoding',
    async kind => {
      const email = await sent([`${kind}@example.org`])
      const mail = complaintMail([`Return-Path: <${email.returnPaths[0]}>`], kind)
      const { events } = await take(mail)
      expect(await event(events[0])).toMatchObject({
        type: 'email.unsubscribed',
        recipient: `${kind}@example.org`,
        unsubscribe: { source: 'complaint', feedback_type: kind },
      })
      expect(
        reasons(await take(complaintMail([`Return-Path: <${email.returnPaths[0]}>`], kind, 'base64'))),
      ).toEqual(['superseded'])
    },
  )

  test('a complaint is also recognised by its unsubscribe address, even in base64', async () => {
    const email = await sent(['base64@example.org'])
    const mail = complaintMail([`List-Unsubscribe: <mailto:${email.unsubscribe[0]}>`], 'abuse', 'base64')
    expect(await take(mail)).toMatchObject({ accepted: 1 })
  })

  const named = 'X-HmXmrOriginalRecipient: ann@example.org'
  test.each([
    ['in its header', 'Report', [named], []],
    ['in the header of the original', 'Report', [], [named]],
    ['by its subject', 'complaint about message from 192.0.2.10', [], []],
  ])('a complaint without a report part is recognised %s', async (what, subject, headers, inOriginal) => {
    const address = `${what.length}@complaining.example`
    const email = await sent([address])
    const original = [...inOriginal, `List-Unsubscribe: <mailto:${email.unsubscribe[0]}>`]
    const { events } = await take(bareComplaint(subject, headers, original))
    expect(await event(events[0])).toMatchObject({
      type: 'email.unsubscribed',
      recipient: address,
      unsubscribe: { source: 'complaint', feedback_type: 'abuse' },
    })
    const forged = original.map(line => line.replace(/.(?=@mail)/, last => (last === '0' ? '1' : '0')))
    expect(reasons(await take(bareComplaint(subject, headers, forged)))).toEqual(['unverified'])
  })

  test('an original mail that somebody forwards is no complaint', async () => {
    const email = await sent(['forwarding@example.org'])
    const original = [`List-Unsubscribe: <mailto:${email.unsubscribe[0]}>`]
    expect(reasons(await take(bareComplaint('Fwd: Your receipt', [], original)))).toEqual(['not_a_report'])
  })

  test.each(['fraud', 'virus', 'other', 'not-spam', 'auth-failure', ''])(
    'feedback %j changes nothing',
    async kind => {
      const email = await sent(['fine@example.org'])
      const mail = complaintMail([`Return-Path: <${email.returnPaths[0]}>`], kind)
      expect(reasons(await take(mail))).toEqual(['not_a_report'])
    },
  )

  test('a mail from anyone to an unsubscribe address unsubscribes the recipient that its token names', async () => {
    const email = await sent(['mailto@example.org'])
    const { events } = await take(plainMail(email.unsubscribe[0] ?? ''))
    expect(await event(events[0])).toMatchObject({
      type: 'email.unsubscribed',
      recipient: 'mailto@example.org',
      unsubscribe: { source: 'mailto', scope: { type: 'list', id: 'news' } },
    })
    expect(reasons(await take(plainMail(email.unsubscribe[0] ?? '')))).toEqual(['superseded'])
    const forged = email.unsubscribe[0]?.replace(/.(?=@)/, last => (last === '0' ? '1' : '0')) ?? ''
    expect(reasons(await take(plainMail(forged)))).toEqual(['unverified'])
  })

  test.each([
    'Auto-Submitted: auto-replied',
    'Auto-Submitted: auto-generated',
    'Precedence: bulk',
    'X-Autoreply: yes',
    'List-Id: <news.acme.test>',
    'Content-Type: multipart/report; report-type=disposition-notification; boundary=b',
    'Auto-Submitted: no',
  ])('a mail to an unsubscribe address counts even if a program sent it: %s', async header => {
    const email = await sent([`${header.length}-${header[0]}@programs.example`])
    const { events } = await take(plainMail(email.unsubscribe[0] ?? '', [header]))
    expect(await event(events[0])).toMatchObject({
      type: 'email.unsubscribed',
      unsubscribe: { source: 'mailto' },
    })
  })

  test('mail without a sender, mail to a return path and copies of our own mail unsubscribe nobody', async () => {
    const email = await sent(['away@example.org'])
    const [to = ''] = email.unsubscribe
    const [path = ''] = email.returnPaths
    expect(reasons(await take(plainMail(to, ['Return-Path: <>'])))).toEqual(['not_a_report'])
    for (const header of ['X-A: b', 'Auto-Submitted: auto-replied', 'List-Id: <news.acme.test>']) {
      expect(reasons(await take(plainMail(path, [header])))).toEqual(['not_a_report'])
    }
    const copy = plainMail('away@example.org', [`List-Unsubscribe: <mailto:${to}>`])
    expect(reasons(await take(copy))).toEqual(['not_a_report'])
    expect(reasons(await take('hello'))).toEqual(['not_a_report'])
    expect(await take(plainMail(to))).toMatchObject({ accepted: 1 })
  })

  test.each([
    'prvs=0123456789=',
    'SRS0=HHH=TT=mail.acme.test=',
    'SRS1=HHH=fwd.example==HHH=TT=mail.acme.test=',
  ])('a return path or unsubscribe address wrapped in %s is recognised', async wrapper => {
    const address = `${wrapper.length}@wrapped.example`
    const email = await sent([address])
    const report = bounceMail('undisclosed', [statusGroup(address)])
    const [path = ''] = email.returnPaths
    const [unsubscribe = ''] = email.unsubscribe
    expect(await take(plainMail('x'), { recipient: wrapper + unsubscribe })).toMatchObject({ accepted: 1 })
    expect(await take(report, { recipient: wrapper + path })).toMatchObject({ accepted: 1 })
  })

  test('a message repeated with its Idempotency-Key gets the same response', async () => {
    const email = await sent()
    const mail = bounceMail(email.returnPaths[0] ?? '', [statusGroup('ann@example.org')])
    const headers = { 'idempotency-key': email.id }
    const first = await take(mail, { headers })
    expect(first.accepted).toBe(1)
    expect(await take(mail, { headers })).toEqual(first)
    const unsubscribing = await sent(['key@example.org'])
    const again = { headers: { 'idempotency-key': unsubscribing.id } }
    const answer = await take(plainMail(unsubscribing.unsubscribe[0] ?? ''), again)
    expect(answer.accepted).toBe(1)
    expect(await take(plainMail(unsubscribing.unsubscribe[0] ?? ''), again)).toEqual(answer)
  })

  test('a wrong media type, an empty or oversized body and an unknown parameter are rejected', async () => {
    const post = async (payload: string, type: string) =>
      await call(app(), 'POST', '/v1/sources/message', {
        as: operatorToken,
        payload,
        headers: { 'content-type': type },
      })
    expect(await post('{}', 'application/json')).toMatchObject({ status: 415 })
    expect(await post('', 'message/rfc822')).toMatchObject({ status: 422 })
    const wrongQuery = await call(app(), 'POST', '/v1/sources/message?nonsense=1', {
      as: operatorToken,
      payload: 'x',
      headers: { 'content-type': 'message/rfc822', 'idempotency-key': 'k'.repeat(256) },
    })
    expect(wrongQuery).toMatchObject({
      status: 422,
      body: { errors: [{ path: '/nonsense' }, { path: '/Idempotency-Key' }] },
    })
    expect(await post('x'.repeat(11 * 1024 * 1024), 'message/rfc822')).toMatchObject({ status: 413 })
  })

  test('hostile mails cause no error, and no event for another recipient', async () => {
    const email = await sent()
    const [path = ''] = email.returnPaths
    const whole = bounceMail(path, [statusGroup('eve@example.org'), statusGroup('bob@example.org')])
    const deep = Array.from(
      { length: 60 },
      (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
    )
    const hostile = [
      `To: ${path}\r\n${deep.join('')}`,
      `To: ${path}\r\n${'X: y\r\n'.repeat(200_000)}`,
      `To: ${path}\r\nContent-Type: message/delivery-status\r\n\r\n${'Final-Recipient: rfc822; x@y\r\n\r\n'.repeat(50_000)}`,
      `\0\r\n${path}\0\xff`,
    ]
    for (const mail of hostile) expect((await take(Buffer.from(mail, 'latin1'))).accepted).toBe(0)
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), fc.uint8Array({ maxLength: 60 }), async (at, bytes) => {
        const mail = Buffer.concat([Buffer.from(whole.slice(0, at)), bytes, Buffer.from(whole.slice(at))])
        const { events } = await take(mail)
        // if the right place is damaged, one group remains, and it is about the recipient
        for (const id of events) expect(await event(id)).toMatchObject({ to: ['ann@example.org'] })
      }),
      { numRuns: 40 },
    )
  })

  test('reports about mails that Posthorn did not send are ignored', async () => {
    const complaints = [complaintMail(['From: somebody@elsewhere.example', 'To: ann@example.org'])]
    for (const mail of [...reportSamples.map(sample => sample.mail), ...complaints]) {
      const answer = await take(mail)
      expect(answer.accepted, mail).toBe(0)
      expect(new Set(reasons(answer)), mail).toEqual(new Set(['unverified']))
    }
  })
})
