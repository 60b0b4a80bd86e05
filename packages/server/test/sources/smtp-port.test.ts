import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Database, DatabaseUnavailableError } from '../../src/db/database.ts'
import { ownMail } from '../../src/smtp-port/own-mail.ts'
import type { MessageContext } from '../../src/sources/take-message.ts'
import { SmtpPort, type SmtpPortOptions } from '../../src/smtp-port/smtp-port.ts'
import { makeCertificate } from '../egress/certificate.ts'
import { newIntake } from '../outcomes/new-intake.ts'
import { sendMail } from '../support/send-mail.ts'
import { embedded, openTestDatabase } from '../support/test-database.ts'
import { newAccount, type VerbContext, verbContext } from '../verbs/verb-context.ts'
import { bounceMail, plainMail, statusGroup } from './mails.ts'
import { type SentEmail, sentEmail } from './sent-email.ts'

let db: Database
let ctx: VerbContext
let accountId: string
beforeAll(async () => {
  db = await openTestDatabase(embedded)
  ctx = verbContext(db)
  accountId = await newAccount(ctx)
})
afterAll(async () => await db[Symbol.asyncDispose]())

async function openPort(overrides: Partial<SmtpPortOptions> = {}) {
  const told: object[] = []
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
    log: { info: fields => told.push(fields), error: fields => told.push(fields) },
    ...overrides,
  })
  const number = await port.start()
  onTestFinished(async () => await port[Symbol.asyncDispose]())
  return { number, told }
}

async function send(
  port: number,
  to: string | string[],
  raw: string,
  options: { from?: string; secure?: boolean } = {},
): Promise<number> {
  return await sendMail(port, { to, raw, ...options })
}

const sent = async (to?: readonly string[]): Promise<SentEmail> => await sentEmail(ctx, accountId, to)
const eventsOf = async (email: SentEmail): Promise<string[]> => {
  const rows = await db.query<{ type: string }>(
    `select type from event where account_id = $1 and convert_from(body, 'UTF8') like '%' || $2 || '%' order by id`,
    [accountId, email.id],
  )
  return rows.map(({ type }) => type)
}

test('a bounce message to a return path is stored before 250 is returned', async () => {
  const { number, told } = await openPort()
  const email = await sent()
  const [path = ''] = email.returnPaths
  // the mail contains no recipient, but the envelope does
  expect(await send(number, path, bounceMail('undisclosed', [statusGroup('ann@example.org')]))).toBe(250)
  expect(await eventsOf(email)).toEqual(['email.bounced'])
  expect(told).toEqual([{ events: 1, ignored: [] }])
  expect(JSON.stringify(told)).not.toContain('ann@')
})

test('a mail to an unsubscribe address unsubscribes, unless it has no sender', async () => {
  const { number } = await openPort()
  const email = await sent()
  const to = email.unsubscribe[0] ?? ''
  expect(await send(number, to, plainMail(to), { from: '' })).toBe(250)
  expect(await eventsOf(email)).toEqual([])
  const button = plainMail(to, ['Auto-Submitted: auto-replied', 'Precedence: bulk'])
  expect(await send(number, to, button, { from: 'ann@example.org' })).toBe(250)
  expect(await eventsOf(email)).toEqual(['email.unsubscribed'])
})

test.each(['prvs=0123456789=', 'PRVS=0123456789=', 'btv1==012345678==', 'SRS0=HHH=TT=mail.acme.test='])(
  'mail to a return path or unsubscribe address wrapped in %s is accepted',
  async wrapper => {
    const { number } = await openPort()
    const address = `${Buffer.from(wrapper).toString('hex')}@wrapped.example`
    const email = await sent([address])
    const report = bounceMail('undisclosed', [statusGroup(address)])
    expect(await send(number, wrapper + email.returnPaths[0], report)).toBe(250)
    expect(await send(number, wrapper + email.unsubscribe[0], plainMail('x'), { from: 'a@b.example' })).toBe(
      250,
    )
    expect(await eventsOf(email)).toEqual(['email.bounced', 'email.unsubscribed'])
    const forged = email.returnPaths[0]?.replace(/.(?=@)/, last => (last === '0' ? '1' : '0'))
    expect(await send(number, wrapper + forged, report)).toBe(550)
  },
)

test('every other address is rejected before the message is sent', async () => {
  const { number } = await openPort()
  const email = await sent()
  const [path = ''] = email.returnPaths
  const forged = path.replace(/.(?=@)/, last => (last === '0' ? '1' : '0'))
  for (const to of ['postmaster@mail.acme.test', 'ann@example.org', forged]) {
    expect(await send(number, to, plainMail(to)), to).toBe(550)
  }
  expect(await send(number, path.toUpperCase(), plainMail(path))).toBe(250)
})

test('a genuine token is accepted at any domain, because a customer may have changed the return path since', async () => {
  const { number } = await openPort()
  const email = await sent(['cy@example.org'])
  const elsewhere = email.returnPaths[0]?.replace('mail.acme.test', 'bounces.customer.example') ?? ''
  expect(await send(number, elsewhere, bounceMail('undisclosed', [statusGroup('cy@example.org')]))).toBe(250)
  expect(await eventsOf(email)).toEqual(['email.bounced'])
})

test('returns 451 while the database is unavailable, and accepts the mail afterwards', async () => {
  const outcomes = newIntake(db)
  let isAway = true
  const awayOutcomes: MessageContext['outcomes'] = {
    within: async (tx, some) => await outcomes.within(tx, some),
    group: async some => {
      if (isAway) throw new DatabaseUnavailableError('away')
      return await outcomes.group(some)
    },
  }
  const { number } = await openPort({
    door: ownMail({
      ...ctx,
      complaints: true,
      mailIgnored: () => {},
      noteReport: async () => {},
      outcomes: awayOutcomes,
    }),
  })
  const email = await sent()
  const mail = bounceMail('x', [statusGroup('ann@example.org')])
  expect(await send(number, email.returnPaths[0] ?? '', mail)).toBe(451)
  expect(await eventsOf(email)).toEqual([])
  isAway = false
  expect(await send(number, email.returnPaths[0] ?? '', mail)).toBe(250)
  expect(await eventsOf(email)).toEqual(['email.bounced'])
})

test('a mail that is too large is rejected', async () => {
  const { number } = await openPort()
  const email = await sent()
  expect(await send(number, email.returnPaths[0] ?? '', plainMail('x') + 'y\r\n'.repeat(4_000_000))).toBe(552)
})

test('STARTTLS is offered only if there is a certificate', async () => {
  const email = await sent()
  const [path = ''] = email.returnPaths
  const { cert, key } = makeCertificate({ name: 'mail.acme.test', hosts: ['127.0.0.1'] })
  const { number: secure } = await openPort({ tls: { cert, key } })
  expect(await send(secure, path, plainMail(path), { secure: true })).toBe(250)
  const { number: plain } = await openPort()
  expect(await send(plain, path, plainMail(path), { secure: true })).not.toBe(250)
})
