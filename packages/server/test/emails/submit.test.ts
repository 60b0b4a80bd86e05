import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { emailCreate } from '@posthorn/contract'
import fc from 'fast-check'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import type { Queryable } from '../../src/db/database.ts'
import { parseSmtpUrl } from '../../src/domain/smtp-url.ts'
import { createHandoverMetrics } from '../../src/handover/handover-metrics.ts'
import type { ClaimedHandover } from '../../src/handover/claim.ts'
import { compileMessage } from '../../src/handover/compile-message.ts'
import { composeMessage } from '../../src/handover/compose-message.ts'
import { outcomeOf } from '../../src/handover/outcome-of.ts'
import { type Message, openSubmitter, type Submitter } from '../../src/handover/submit.ts'
import { headerOf, startSmtpSink } from '../support/smtp-sink.ts'

const emailId = '01890a5d-ac96-774b-bcce-b302099a8057'
const tokenKey = { accountId: emailId, number: 7, secret: Buffer.alloc(32, 1) }

function handoverOf(input: object): ClaimedHandover {
  const content = emailCreate.parse({
    from: 'a@shop.example',
    to: ['ann@one.example'],
    subject: 'Hi',
    text: 'x',
    ...input,
  })
  return {
    accountId: emailId,
    emailId,
    number: 1,
    claim: 1,
    tries: 0,
    address: 'ann@one.example',
    isDecided: false,
    messageId: 'em_1@shop.example',
    acceptedAtMs: 0,
    content,
    described: { from: 'a@shop.example', subject: 'Hi', tags: null, metadata: null },
  }
}

function messageOf(input: object): Message {
  return composeMessage(handoverOf(input), {
    returnPathDomain: 'bounces.shop.example',
    linkUrl: 'https://shop.example',
    tokenKey,
    dkim: null,
  })
}

async function submit(url: string, input: object = {}): ReturnType<Submitter['submit']> {
  const submitter = openSubmitter(parseSmtpUrl(url), 1)
  try {
    return await submitter.submit(messageOf(input))
  } finally {
    submitter.close()
  }
}

test('no accepted field value adds a header field or a recipient to the message', async () => {
  await using sink = await startSmtpSink()
  const submitter = openSubmitter(parseSmtpUrl(sink.url), 1)
  const nasty = fc.string({
    unit: fc.constantFrom(
      '\r',
      '\n',
      '\0',
      '\u2028',
      '\u0085',
      ':',
      ' ',
      'Bcc: eve@evil.example',
      '<',
      '>',
      '"',
      ',',
      '=?utf-8?Q?=0D=0A?=',
      'a',
      'é',
      '\ud800',
    ),
    minLength: 1,
    maxLength: 8,
  })
  const text = fc.oneof(fc.constantFrom('Ann', 'Grüße aus Köln', '=?utf-8?Q?=0D=0A?='), nasty)
  const usual = new Set(
    'from to cc subject message-id date mime-version reply-to x-own content-type content-transfer-encoding list-unsubscribe list-unsubscribe-post content-disposition'.split(
      ' ',
    ),
  )
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(text, text, text, text, async (name, subject, own, filename) => {
      const input = {
        from: `"${name}" <a@shop.example>`,
        to: ['ann@one.example', `${name} <bob@one.example>`],
        reply_to: `"${own}" <c@shop.example>`,
        subject,
        headers: { 'X-Own': own },
        attachments: [{ filename, content: 'eA==' }],
        unsubscribe: { list: own },
      }
      const parsed = emailCreate.safeParse({ ...input, text: 'x' })
      if (!parsed.success) return
      accepted++
      expect(await submitter.submit(messageOf(input))).toMatchObject({ kind: 'accepted' })
      const mail = sink.taken.at(-1)
      expect(mail?.to).toEqual(['ann@one.example'])
      const head = mail?.raw.toString('latin1').split('\r\n\r\n')[0] ?? ''
      const names = head.split(/\r\n(?![ \t])/).map(field => field.slice(0, field.indexOf(':')).toLowerCase())
      expect(names.filter(field => !usual.has(field))).toEqual([])
      expect(new Set(names).size).toBe(names.length)
    }),
    { numRuns: 2_000 },
  )
  submitter.close()
  expect(accepted).toBeGreaterThan(50)
})

test('a line break or NUL in any field is rejected', () => {
  const base = { from: 'a@shop.example', to: ['ann@one.example'], subject: 'Hi', text: 'x' }
  for (const bad of ['\r', '\n', '\0', '\r\nBcc: eve@evil.example']) {
    const inputs = [
      { from: `a${bad}@shop.example` },
      { from: `Shop${bad} <a@shop.example>` },
      { to: [`ann@one.example${bad}`] },
      { cc: [`ann@one.example${bad}`] },
      { reply_to: `ann@one.example${bad}` },
      { subject: `Hi${bad}` },
      { headers: { 'X-Own': `a${bad}` } },
      { headers: { [`X-Own${bad}`]: 'a' } },
      { attachments: [{ filename: `a${bad}`, content: 'eA==' }] },
      { attachments: [{ filename: 'a', content: 'eA==', content_id: `a${bad}` }] },
      { attachments: [{ filename: 'a', content: 'eA==', content_type: `text/plain${bad}` }] },
      { unsubscribe: { list: `a${bad}` } },
      { tags: { a: `b${bad}` } },
    ]
    for (const input of inputs) expect(emailCreate.safeParse({ ...base, ...input }).success).toBe(false)
  }
  expect(emailCreate.safeParse(base).success).toBe(true)
})

test('the value of every header field starts on the first line of the field', async () => {
  const long = `https://shop.example/${'x'.repeat(200)}`
  const raw = await compileMessage(
    messageOf({
      from: `${'N'.repeat(80)} <a@shop.example>`,
      subject: 'S'.repeat(300),
      headers: { 'List-Archive': `<${long}> ${long}`, 'X-Longest': 'x'.repeat(998) },
      html: '<p>x</p>',
      attachments: [{ filename: `${'f'.repeat(200)}.pdf`, content: 'eA==' }],
      unsubscribe: { list: 'n'.repeat(128) },
    }),
    false,
  )
  const header = raw.toString('latin1').split('\r\n\r\n')[0] ?? ''
  expect(header).toMatch(/^List-Unsubscribe: <https:\/\/shop\.example\/u\/\S+>,\r\n <mailto:/m)
  expect(header).toContain(`List-Archive: <${long}>\r\n ${long}`)
  expect(header.match(/^\S+:(?=\s*\r\n)/gm)).toEqual(['X-Longest:'])
})

test('every reply address is in the Reply-To field', async () => {
  const replyTo = async (input: unknown) =>
    headerOf(await compileMessage(messageOf({ reply_to: input }), false), 'Reply-To')
  expect(await replyTo('Ann <ann@shop.example>')).toBe('Ann <ann@shop.example>')
  expect(await replyTo(['Ann <ann@shop.example>', '"B, C" <bob@shop.example>'])).toBe(
    'Ann <ann@shop.example>, "B, C" <bob@shop.example>',
  )
  expect(() => messageOf({ reply_to: [] })).toThrow()
})

test('an invitation is an alternative to the text, and any other attachment is not', async () => {
  const content = Buffer.from('BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n').toString('base64')
  const compiled = async (type: string) => {
    const attachments = [
      { filename: 'invite.ics', content, content_type: type },
      { filename: 'bill.pdf', content: 'eA==' },
    ]
    const raw = await compileMessage(messageOf({ html: '<p>x</p>', attachments }), false)
    return raw.toString('latin1').replaceAll(/\r\n[ \t]+/g, ' ')
  }
  const types = (text: string) =>
    [...text.matchAll(/^Content-Type: ([^;\r]+)(.*)$/gm)].map(([, type, rest]) => [
      type,
      /method=REQUEST/.test(rest ?? ''),
    ])
  const invitation = await compiled('text/calendar; method=REQUEST')
  expect(types(invitation)).toEqual([
    ['multipart/mixed', false],
    ['multipart/alternative', false],
    ['text/plain', false],
    ['text/html', false],
    ['text/calendar', true],
    ['application/pdf', false],
  ])
  expect(invitation.replaceAll('\r\n', '')).toContain(content)
  expect(invitation).toMatch(/^Content-Type: text\/calendar; method=REQUEST; charset=utf-8\r$/m)
  expect(invitation).not.toContain('invite.ics')
  expect(types(await compiled('text/calendar')).slice(3)).toEqual([
    ['text/html', false],
    ['text/calendar', false],
    ['application/pdf', false],
  ])
})

test.each([
  'text/calendar;',
  'text/calendar; method',
  'text/calendar; a="b',
  'a/b; c=d\r\nX: y',
  'a/b; c="\\""',
])('a damaged media type is rejected: %j', type => {
  const attachments = [{ filename: 'a', content: 'eA==', content_type: type }]
  expect(() => messageOf({ attachments })).toThrow()
})

test('a refused or dropped connection does not count as a rejection, and its message reveals no address', async () => {
  const silent = createServer(socket => socket.destroy()).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const hungUp = await submit(`smtp://127.0.0.1:${port}`)
  silent.close()
  await once(silent, 'close')
  const refused = await submit(`smtp://127.0.0.1:${port}`)
  for (const submission of [hungUp, refused]) {
    expect(submission).toMatchObject({ kind: 'unreachable', stage: 'connect' })
    expect(submission.reply).not.toContain('127.0.0.1')
  }
})

test('an untrusted certificate is rejected unless the URL allows it', async () => {
  await using sink = await startSmtpSink({ server: { disabledCommands: [] } })
  expect(await submit(`${sink.url}?requireTLS=true`)).toMatchObject({ kind: 'unreachable', stage: 'tls' })
  expect(sink.taken).toEqual([])
  expect(await submit(`${sink.url}?tls.rejectUnauthorized=false`)).toMatchObject({ kind: 'accepted' })
  await using plain = await startSmtpSink()
  expect(await submit(`${plain.url}?requireTLS=true`)).toMatchObject({ kind: 'refused', stage: 'tls' })
  expect(plain.taken).toEqual([])
})

test('the metrics say until when the certificate of the mail server is valid, once there is one', async () => {
  await using sink = await startSmtpSink({ server: { disabledCommands: [] } })
  await using plain = await startSmtpSink()
  const expiryAfterMail = async (url: string): Promise<string> => {
    const submitter = openSubmitter(parseSmtpUrl(url), 1)
    const registry = new Registry()
    const db = { query: async () => await Promise.resolve([]) } as Pick<Queryable, 'query'> as Queryable
    const certificateExpiresAtMs = (): number | null => submitter.certificateExpiresAtMs
    createHandoverMetrics(registry, { db, inFlight: () => 0, certificateExpiresAtMs })
    expect(await submitter.submit(messageOf({}))).toMatchObject({ kind: 'accepted' })
    submitter.close()
    const lines = (await registry.metrics()).split('\n')
    return lines.filter(line => line.startsWith('posthorn_smtp_certificate_expiry')).join()
  }
  expect(await expiryAfterMail(plain.url)).toBe('')
  expect(await expiryAfterMail(`${sink.url}?tls.rejectUnauthorized=false`)).toMatch(/_seconds \d{10}$/)
})

test('a correct login is accepted, and a wrong one is reported with code 535 at stage auth', async () => {
  await using sink = await startSmtpSink({
    server: {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        username === 'post' && password === 'h@rn' ? done(null, { user: 'post' }) : done(new Error('no')),
    },
  })
  const withLogin = (login: string): string => sink.url.replace('//', `//${login}@`)
  expect(await submit(withLogin('post:h%40rn'))).toMatchObject({ kind: 'accepted' })
  expect(await submit(withLogin('post:wrong'))).toMatchObject({ kind: 'refused', stage: 'auth', code: 535 })
})

test('an invalid SMTP URL is rejected without repeating its password', () => {
  for (const url of ['http://user:geheim@host', 'smtp://user:geheim@host?pool=true', 'geheim']) {
    expect(() => parseSmtpUrl(url)).toThrow(/^(?!.*geheim)/)
  }
  expect(parseSmtpUrl('smtps://mail.example')).toMatchObject({
    port: 465,
    isTls: true,
    anyCertificate: false,
  })
})

test('an email that expired or cannot be offered is a failure, never a bounce', () => {
  const away = {
    kind: 'unreachable',
    stage: 'connect',
    reply: 'The mail server did not answer in time.',
  } as const
  const busy = { kind: 'refused', stage: 'rcpt_to', code: 450, reply: '450 4.2.0 Greylisted' } as const
  const tooLarge = {
    kind: 'unsendable',
    stage: 'mail_from',
    reply: 'Message size larger than allowed 1000',
  } as const
  const ended = (
    disposition: 'expired' | 'permanent',
    submission: typeof away | typeof busy | typeof tooLarge,
  ) => outcomeOf(handoverOf({}), { kind: 'outcome', disposition, submission }, 0)
  for (const submission of [away, busy]) {
    expect(ended('expired', submission)).toMatchObject({
      type: 'email.failed',
      isOncePerRecipient: true,
      data: { to: ['ann@one.example'], attempts: 1, failure: { expired: true, stage: submission.stage } },
    })
  }
  expect(ended('permanent', tooLarge)).toMatchObject({
    type: 'email.failed',
    data: { failure: { expired: false } },
  })
})
