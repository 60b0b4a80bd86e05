import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { usualSessionLimits, type SessionLimits } from '../../src/smtp-port/session-limits.ts'
import { ownMail } from '../../src/smtp-port/own-mail.ts'
import { SmtpPort } from '../../src/smtp-port/smtp-port.ts'
import { newIntake } from '../outcomes/new-intake.ts'
import { embedded, openTestDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { newAccount, type VerbContext, verbContext } from '../verbs/verb-context.ts'
import { bounceMail, statusGroup } from './mails.ts'
import { sentEmail } from './sent-email.ts'

let db: Database
let ctx: VerbContext
let accountId: string
beforeAll(async () => {
  db = await openTestDatabase(embedded)
  ctx = verbContext(db)
  accountId = await newAccount(ctx)
})
afterAll(async () => await db[Symbol.asyncDispose]())

async function openPort(limits: Partial<SessionLimits> = {}): Promise<number> {
  const port = new SmtpPort({
    door: ownMail({
      ...ctx,
      outcomes: newIntake(db),
      complaints: true,
      mailIgnored: () => {},
      noteReport: async () => {},
    }),
    host: '127.0.0.1',
    port: 0,
    domain: 'mail.acme.test',
    tls: null,
    limits: { ...usualSessionLimits, ...limits },
    log: { info: () => {}, error: () => {} },
  })
  const number = await port.start()
  onTestFinished(async () => await port[Symbol.asyncDispose]())
  return number
}

/** A client that sends what the test wants, from an address of this machine. */
async function openSession(port: number, localAddress = '127.0.0.1') {
  const socket = connect({ host: '127.0.0.1', port, localAddress })
  let received = ''
  let isClosed = false
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  socket.on('error', () => {})
  socket.on('close', () => (isClosed = true))
  onTestFinished(() => void socket.destroy())
  let read = 0
  const reply = async (): Promise<string> =>
    await until('there is a reply', () => {
      const end = received.indexOf('\r\n', read)
      if (end < 0) return isClosed && 'closed'
      const line = received.slice(read, end)
      read = end + 2
      return line
    })
  return {
    greeting: await reply(),
    say: async (line: string): Promise<string> => {
      socket.write(`${line}\r\n`)
      return await reply()
    },
    reply,
    closed: async () => await until('the port has closed the session', () => isClosed),
    close: async () => {
      socket.end()
      if (!isClosed) await once(socket, 'close')
    },
  }
}

test('a client that opens many sessions does not keep others from connecting and sending', async () => {
  const port = await openPort()
  const many = await Promise.all(Array.from({ length: 60 }, async () => await openSession(port)))
  const greetings = many.map(({ greeting }) => greeting.slice(0, 3))
  expect(greetings.filter(code => code === '220')).toHaveLength(usualSessionLimits.sessionsPerClientMax)
  expect(greetings.filter(code => code === '421')).toHaveLength(60 - usualSessionLimits.sessionsPerClientMax)
  const email = await sentEmail(ctx, accountId)
  const other = await openSession(port, '127.0.0.2')
  expect(other.greeting).toMatch(/^220/)
  await other.say('HELO mx.example.org')
  await other.say('MAIL FROM:<>')
  expect(await other.say(`RCPT TO:<${email.returnPaths[0]}>`)).toMatch(/^250/)
  expect(await other.say('DATA')).toMatch(/^354/)
  expect(await other.say(`${bounceMail('x', [statusGroup('ann@example.org')])}\r\n.`)).toMatch(/^250/)
})

test('a closed session makes room for the next one of the same client', async () => {
  const port = await openPort({ sessionsPerClientMax: 1 })
  const first = await openSession(port)
  expect(first.greeting).toMatch(/^220/)
  expect((await openSession(port)).greeting).toMatch(/^421/)
  await first.close()
  await until('the next one gets in', async () => (await openSession(port)).greeting.startsWith('220'))
})

test('a session with too many wrong recipients is closed, and one with few is not', async () => {
  const port = await openPort()
  const email = await sentEmail(ctx, accountId)
  const { rejectionsMax } = usualSessionLimits
  const session = await openSession(port)
  await session.say('HELO mx.example.org')
  await session.say('MAIL FROM:<>')
  for (let n = 0; n < rejectionsMax; n++) {
    expect(await session.say(`RCPT TO:<nobody${n}@mail.acme.test>`)).toMatch(/^550/)
    // starting a new transaction does not help
    if (n === 5) {
      await session.say('RSET')
      await session.say('MAIL FROM:<>')
    }
  }
  expect(await session.say(`RCPT TO:<${email.returnPaths[0]}>`)).toMatch(/^250/)
  expect(await session.say('RCPT TO:<nobody@mail.acme.test>')).toMatch(/^421/)
  await session.closed()
})

test('a session is closed at its time limit, even if it is busy', async () => {
  const port = await openPort({ sessionMsMax: 300 })
  const session = await openSession(port)
  await session.say('HELO mx.example.org')
  await until('it is told so', async () => (await session.say('NOOP')).startsWith('421'))
  await session.closed()
})

test('the messages held by all sessions together are limited, and a message over the limit gets 452', async () => {
  const port = await openPort({ heldBytesMax: 1_000 })
  const email = await sentEmail(ctx, accountId)
  const session = await openSession(port)
  await session.say('HELO mx.example.org')
  const send = async (text: string): Promise<string> => {
    await session.say('MAIL FROM:<>')
    await session.say(`RCPT TO:<${email.returnPaths[0]}>`)
    await session.say('DATA')
    return await session.say(`${text}\r\n.`)
  }
  expect(await send('x'.repeat(2_000))).toMatch(/^452/)
  expect(await send(bounceMail('x', [statusGroup('ann@example.org')]))).toMatch(/^250/)
  expect(await send('x'.repeat(2_000))).toMatch(/^452/)
  expect(await send('x'.repeat(500))).toMatch(/^250/)
})

test.each(['a..b.@example.jp', '.a@example.jp'])(
  'a recipient with an address such as %s can unsubscribe by mail',
  async from => {
    const port = await openPort()
    const email = await sentEmail(ctx, accountId, [`${from.length}@carrier.example`])
    const session = await openSession(port)
    await session.say('HELO mx.example.jp')
    expect(await session.say(`MAIL FROM:<${from}>`)).toMatch(/^250/)
    await session.say(`RCPT TO:<${email.unsubscribe[0]}>`)
    await session.say('DATA')
    expect(await session.say('Subject: unsubscribe\r\n\r\n.')).toMatch(/^250/)
    const events = await db.query(
      `select 1 as one from event where account_id = $1 and type = 'email.unsubscribed'
         and convert_from(body, 'UTF8') like '%' || $2 || '%'`,
      [accountId, email.id],
    )
    expect(events).toHaveLength(1)
  },
)
