import { emailCreate } from '@posthorn/contract'
import { expect, onTestFinished, test } from 'vitest'
import type { Submission } from '../../src/domain/decide-handover.ts'
import { normalEmailAddress } from '../../src/domain/email-address.ts'
import { parseSmtpUrl } from '../../src/domain/smtp-url.ts'
import { composeMessage } from '../../src/handover/compose-message.ts'
import { dotStuffed } from '../../src/handover/dot-stuffed.ts'
import { outcomeOf } from '../../src/handover/outcome-of.ts'
import type { ClaimedHandover } from '../../src/handover/claim.ts'
import { openSubmitter } from '../../src/handover/submit.ts'
import { startScriptedMailServer } from '../support/scripted-mail-server.ts'

const emailId = '01890a5d-ac96-774b-bcce-b302099a8057'
const everything = ['PIPELINING', 'SIZE 10000000', '8BITMIME', 'SMTPUTF8']

/** The copy of the first recipient. */
function handoverOf(input: object): ClaimedHandover {
  const content = emailCreate.parse({ from: 'a@shop.example', subject: 'Hi', text: 'x', ...input })
  return {
    accountId: emailId,
    emailId,
    number: 1,
    claim: 1,
    tries: 0,
    address: normalEmailAddress(content.to[0]?.address ?? ''),
    isDecided: false,
    messageId: 'em_1@shop.example',
    acceptedAtMs: 0,
    content,
    described: { from: 'a@shop.example', subject: 'Hi', tags: null, metadata: null },
  }
}

function openSender(url: string) {
  const submitter = openSubmitter(parseSmtpUrl(url), 1)
  onTestFinished(() => submitter.close())
  return async (to: string | readonly string[], input: object = {}): Promise<Submission> =>
    await submitter.submit(
      composeMessage(handoverOf({ to: [to].flat(), ...input }), {
        returnPathDomain: 'bounces.shop.example',
        linkUrl: 'https://shop.example',
        tokenKey: { accountId: emailId, number: 7, secret: Buffer.alloc(32, 1) },
        dkim: null,
      }),
    )
}

const named = (said: readonly string[], command: string): string[] =>
  said.filter(line => line.startsWith(command))

test('a rejected recipient ends the dialogue before DATA, and the connection stays usable', async () => {
  await using server = await startScriptedMailServer(everything, command => {
    if (command === 'RCPT TO:<gone@one.example>') return '550 5.1.1 User unknown'
    // no answer after a message without recipients
    return command === '.' && named(server.said, 'RCPT').length === 1 ? null : undefined
  })
  const send = openSender(server.url)
  expect(await send('gone@one.example')).toEqual({
    kind: 'refused',
    stage: 'rcpt_to',
    code: 550,
    reply: '550 5.1.1 User unknown',
  })
  expect(named(server.said, 'DATA')).toEqual([])
  expect(await send('ann@one.example')).toMatchObject({ kind: 'accepted' })
  expect(server.connections()).toBe(1)
})

test.each([
  ['MAIL FROM', 'mail_from', /^MAIL/],
  ['RCPT TO', 'rcpt_to', /^RCPT/],
  ['DATA', 'data', /^DATA$/],
  ['the message', 'end_of_data', /^\.$/],
] as const)(
  'a rejection of %s is reported verbatim, and the connection stays usable',
  async (_what, stage, pattern) => {
    let isRefusing = true
    const reply = '550-5.7.1 Not\r\n550 5.7.1 today'
    await using server = await startScriptedMailServer(everything, command =>
      isRefusing && pattern.test(command) ? reply : undefined,
    )
    const send = openSender(server.url)
    expect(await send('ann@one.example')).toEqual({
      kind: 'refused',
      stage,
      code: 550,
      reply: '550-5.7.1 Not\n550 5.7.1 today',
    })
    isRefusing = false
    expect(await send('ann@one.example')).toMatchObject({ kind: 'accepted' })
    expect(server.connections()).toBe(1)
  },
)

test('a connection that the server closed is replaced before the email is offered', async () => {
  let isLeaving = true
  await using server = await startScriptedMailServer(everything, command =>
    command === 'RSET' && isLeaving ? '421 4.4.2 Idle for too long' : undefined,
  )
  const send = openSender(server.url)
  expect(await send('ann@one.example')).toMatchObject({ kind: 'accepted' })
  expect(await send('bob@one.example')).toMatchObject({ kind: 'accepted' })
  isLeaving = false
  expect(await send('cid@one.example')).toMatchObject({ kind: 'accepted' })
  expect(named(server.said, 'RCPT')).toHaveLength(3)
  expect(server.connections()).toBe(2)
})

test.each(['jürgen@one.example', '"jürgen"@one.example', 'δοκιμή@παράδειγμα.example'])(
  'a non-ASCII address is not offered to a server without SMTPUTF8: %s',
  async to => {
    await using server = await startScriptedMailServer(['PIPELINING', '8BITMIME'], command =>
      /^RCPT.*[^\0-\x7f]/.test(command) ? '553 5.1.3 Bad address' : undefined,
    )
    const submission = await openSender(server.url)(to)
    expect(submission).toMatchObject({ kind: 'unsendable', stage: 'rcpt_to' })
    expect(named(server.said, 'MAIL')).toEqual([])
    const ending = { kind: 'outcome', disposition: 'permanent', submission } as const
    expect(outcomeOf(handoverOf({ to: [to] }), ending, 0)).toMatchObject({
      type: 'email.failed',
      data: { failure: { category: 'infrastructure', reason: 'smtputf8_unsupported', retryable: false } },
    })
  },
)

test('a non-ASCII address is sent unchanged with SMTPUTF8, and an ASCII address without it', async () => {
  await using server = await startScriptedMailServer(everything)
  const send = openSender(server.url)
  expect(await send('jürgen@one.example')).toMatchObject({ kind: 'accepted' })
  expect(named(server.said, 'MAIL')[0]).toMatch(/ SMTPUTF8\b/)
  expect(named(server.said, 'RCPT')).toEqual(['RCPT TO:<jürgen@one.example>'])
  expect(await send('ann@one.example')).toMatchObject({ kind: 'accepted' })
  expect(named(server.said, 'MAIL')[1]).not.toMatch(/ SMTPUTF8\b/)
})

test('an ASCII recipient gets the email without SMTPUTF8, and the header omits non-ASCII addresses', async () => {
  await using server = await startScriptedMailServer([])
  expect(
    await openSender(server.url)(['ann@one.example', 'Jürgen <jürgen@one.example>'], {
      cc: ['Bob <bob@one.example>'],
    }),
  ).toMatchObject({ kind: 'accepted' })
  const message = server.said.find(text => text.includes('Subject: Hi')) ?? ''
  expect(message).toMatch(/^[\0-\x7f]*$/)
  expect(message).toContain('To: ann@one.example\r\n')
  expect(message).toContain('Cc: Bob <bob@one.example>')
})

test.each([
  ['MAIL', '530 5.7.0 Authentication required'],
  ['RCPT', '530 5.7.0 Authentication required'],
  ['MAIL', '538 5.7.11 Encryption required'],
  ['DATA', '535 5.7.8 Log in again'],
])('a demand for a login at %s is reported with the server’s reply: %s', async (at, reply) => {
  await using server = await startScriptedMailServer(everything, command =>
    command.startsWith(at) ? reply : undefined,
  )
  expect(await openSender(server.url)('ann@one.example')).toMatchObject({ kind: 'refused', reply })
})

test.each([
  ['offers no login', ['PIPELINING']],
  ['offers a login that we do not know', ['AUTH NTLM GSSAPI']],
  ['knows no EHLO', null],
])('nothing is sent without the configured login to a server that %s', async (_what, extensions) => {
  await using server = await startScriptedMailServer(extensions)
  const submission = await openSender(server.url.replace('//', '//post:horn@'))('ann@one.example')
  expect(submission).toMatchObject({ kind: 'unreachable', stage: 'auth' })
  expect(submission.reply).toContain('POSTHORN_SMTP_URL')
  expect(named(server.said, 'MAIL')).toEqual([])
  expect(named(server.said, 'AUTH')).toEqual([])
})

test.each([
  ['PLAIN', 'AUTH PLAIN LOGIN', [['AUTH PLAIN', '235 2.7.0 Ok']], ['AUTH PLAIN AHBvc3QAaG9ybg==']],
  [
    'LOGIN',
    'AUTH=LOGIN',
    [
      ['AUTH LOGIN', '334 VXNlcm5hbWU6'],
      ['cG9zdA==', '334 UGFzc3dvcmQ6'],
      ['aG9ybg==', '235 2.7.0 Ok'],
    ],
    ['AUTH LOGIN', 'cG9zdA==', 'aG9ybg=='],
  ],
  // the example of RFC 2195 with another name and password
  [
    'CRAM-MD5',
    'AUTH CRAM-MD5',
    [
      ['AUTH CRAM-MD5', '334 PDE4OTZAbWFpbC50ZXN0Pg=='],
      ['cG9zdC', '235 2.7.0 Ok'],
    ],
    ['AUTH CRAM-MD5', expect.stringMatching(/^cG9zdC[A-Za-z0-9+/=]+$/)],
  ],
] as const)('logs in with %s', async (_what, offer, replies, said) => {
  await using server = await startScriptedMailServer(
    [offer],
    command => replies.find(([start]) => command.startsWith(start))?.[1],
  )
  expect(await openSender(server.url.replace('//', '//post:horn@'))('ann@one.example')).toMatchObject({
    kind: 'accepted',
  })
  expect(server.said.slice(1, 1 + said.length)).toEqual(said)
})

test.each([
  ['a..b.@example.jp', '"a..b."@example.jp'],
  ['.a@example.jp', '".a"@example.jp'],
  ['"a..b."@example.jp', '"a..b."@example.jp'],
  ['"ann smith"@example.org', '"ann smith"@example.org'],
  [String.raw`"a\"b"@example.org`, String.raw`"a\"b"@example.org`],
  ['"a@b"@example.org', '"a@b"@example.org'],
])('a recipient whose local part needs quotes is written in quotes: %s', async (to, written) => {
  await using server = await startScriptedMailServer([])
  expect(await openSender(server.url)(to)).toMatchObject({ kind: 'accepted' })
  expect(named(server.said, 'RCPT')).toEqual([`RCPT TO:<${written}>`])
  expect(server.said.find(text => text.includes('Subject: Hi'))).toContain(`To: <${written}>`)
})

test('a message over the server’s size limit is not offered', async () => {
  await using server = await startScriptedMailServer(['SIZE 1000'])
  const submission = await openSender(server.url)('ann@one.example', { text: 'x'.repeat(2_000) })
  expect(submission).toMatchObject({ kind: 'unsendable', stage: 'mail_from' })
  expect(named(server.said, 'MAIL')).toEqual([])
  const ending = { kind: 'outcome', disposition: 'permanent', submission } as const
  expect(outcomeOf(handoverOf({ to: ['ann@one.example'] }), ending, 0)).toMatchObject({
    data: { failure: { reason: 'message_too_large' } },
  })
})

test.each([
  ['garbage', 'HTTP/1.1 400 Bad Request'],
  ['a reply without end', `250-${'x'.repeat(100_000)}`],
  ['two replies to one command', '250 2.1.0 Fine\r\n250 2.1.0 Fine again'],
])('%s is not a valid response, and the connection is not used again', async (_what, reply) => {
  let isWrong = true
  await using server = await startScriptedMailServer(everything, command =>
    isWrong && command.startsWith('MAIL') ? reply : undefined,
  )
  const send = openSender(server.url)
  expect(await send('ann@one.example')).toMatchObject({ kind: 'unreachable' })
  isWrong = false
  expect(await send('ann@one.example')).toMatchObject({ kind: 'accepted' })
  expect(server.connections()).toBe(2)
})

test.each([
  ['a', 'a\r\n.\r\n'],
  ['a\r\n', 'a\r\n.\r\n'],
  ['', '\r\n.\r\n'],
  ['.', '..\r\n.\r\n'],
  ['.\r\n.\r\n..\r\n', '..\r\n..\r\n...\r\n.\r\n'],
  ['a\r\n.b\r\nc.\r\n', 'a\r\n..b\r\nc.\r\n.\r\n'],
])('no line of a message ends it early: %j', (message, sent) => {
  expect(dotStuffed(Buffer.from(message)).toString()).toBe(sent)
})
