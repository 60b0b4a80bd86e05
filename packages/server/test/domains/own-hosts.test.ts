import { emailCreate, type Event, type SendingDomain } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Ctx } from '../../src/context.ts'
import type { Database } from '../../src/db/database.ts'
import { checkDueDomains } from '../../src/domains/check-due-domains.ts'
import { checkSendingDomain } from '../../src/domains/check-sending-domain.ts'
import { parseTypeId } from '../../src/domain/type-id.ts'
import { createEmail } from '../../src/emails/create-email.ts'
import { claimHandovers } from '../../src/handover/claim.ts'
import { prepareHandover } from '../../src/handover/prepare.ts'
import { newId } from '../../src/new-id.ts'
import { ownMail } from '../../src/smtp-port/own-mail.ts'
import { SmtpPort } from '../../src/smtp-port/smtp-port.ts'
import { openTestApp, type TestApp } from '../http/test-app.ts'
import { newIntake } from '../outcomes/new-intake.ts'
import { bounceMail, statusGroup } from '../sources/mails.ts'
import { oneClick } from '../suppressions/sent-email.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { sendMail } from '../support/send-mail.ts'
import { openTestDatabase, verbBackends } from '../support/test-database.ts'
import type { VerbContext } from '../verbs/verb-context.ts'
import { domainContext, newDomainAccount, newName, recordOf } from './domain-account.ts'

const hourMs = 3_600_000
const operatorsPath = 'bounces.acme.example'
const operatorsUrl = 'http://mail.posthorn.example'

describe.each(verbBackends())('the own return path and link host of a domain on $name', backend => {
  let db: Database
  let dns: DnsServer
  let app: TestApp
  let ctx: VerbContext
  let port: SmtpPort
  let portNumber: number
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    dns = await startDnsServer()
    ctx = domainContext(db, dns)
    const outcomes = newIntake(db)
    app = await openTestApp(db, { ctx, intake: outcomes })
    const silent = { info: () => {}, error: () => {} }
    const door = ownMail({
      ...ctx,
      outcomes,
      complaints: true,
      mailIgnored: () => {},
      noteReport: async () => {},
    })
    port = new SmtpPort({ door, host: '127.0.0.1', port: 0, domain: operatorsPath, tls: null, log: silent })
    portNumber = await port.start()
  })
  afterAll(async () => {
    await port[Symbol.asyncDispose]()
    await app[Symbol.asyncDispose]()
    await dns[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
  })

  /** An account with a signed domain that has both names, and their records if `published`. */
  async function newSender(published: boolean) {
    const account = await newDomainAccount(app)
    const name = newName()
    const names = { return_path_domain: `bounces.${name}`, link_host: `links.${name}` }
    const { status, body } = await account.ask('POST', '/v1/domains', { name, ...names })
    expect(status, JSON.stringify(body)).toBe(201)
    const domain = body as unknown as SendingDomain
    const { name: dkim, value } = recordOf(domain, 'dkim')
    dns.txt(dkim, value)
    const publish = (): void => {
      for (const purpose of ['return_path_cname', 'link_cname'] as const) {
        const record = recordOf(domain, purpose)
        expect(record).toMatchObject({ type: 'CNAME', required: false })
        dns.cname(record.name, record.value)
      }
    }
    if (published) publish()
    await account.check(domain)
    return {
      account,
      name,
      domain,
      publish,
      update: async (change: object) => await account.ask('PATCH', `/v1/domains/${domain.id}`, change),
      events: async () => (await account.ask('GET', '/v1/events')).body['data'] as Event[],
      send: async (from = `news@${name}`) => await send(account.accountUuid, from),
    }
  }

  /** The envelope sender of an email and its unsubscribe link. */
  async function send(accountId: string, from: string) {
    const to = `ann${newId(ctx)}@example.org`
    const input = emailCreate.parse({ from, to: [to], subject: 'News', text: 'News', unsubscribe: {} })
    await createEmail(ctx, accountId, input)
    const claim = { processId: newId(ctx), leaseMs: 60_000, capacity: 100 }
    const one = (await claimHandovers(db, claim)).find(({ address }) => address === to)
    if (one === undefined) throw new Error('nothing was claimed')
    const prepared = await prepareHandover(ctx, one)
    if (prepared.kind !== 'message') throw new Error(prepared.kind)
    const { envelope, headers } = prepared.message
    const field = String((headers as Record<string, string>)['List-Unsubscribe'])
    const [, link = '', mailto = ''] = /<(http:[^>]+)>, <mailto:([^>]+)>/.exec(field) ?? []
    return { to, from: String(envelope.from), link: new URL(link), mailto }
  }

  const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

  test('mail uses both names once their records are found, also for a subdomain, and bounces and links come back', async () => {
    const { name, domain, account, events, send: sendOne } = await newSender(true)
    const shown = (await account.ask('GET', `/v1/domains/${domain.id}`)).body
    expect(shown['return_path_verified_at']).not.toBeNull()
    expect(shown['link_host_verified_at']).not.toBeNull()

    const mail = await sendOne(`news@eu.${name}`)
    expect(domainOf(mail.from)).toBe(`bounces.${name}`)
    expect(domainOf(mail.mailto)).toBe(`bounces.${name}`)
    expect(mail.link.origin).toBe(`http://links.${name}`)

    const bounce = bounceMail('undisclosed', [statusGroup(mail.to)])
    expect(await sendMail(portNumber, { to: mail.from, raw: bounce })).toBe(250)
    const host = { host: mail.link.host }
    const page = await app.app.inject({ url: mail.link.pathname, headers: host })
    expect([page.statusCode, page.headers['set-cookie']]).toEqual([200, undefined])
    const click = { ...oneClick, headers: { ...oneClick.headers, ...host } }
    const answer = await app.app.inject({ method: 'POST', url: mail.link.pathname, ...click })
    expect(answer.statusCode).toBe(200)
    expect((await events()).map(({ type }) => type)).toEqual(['email.unsubscribed', 'email.bounced'])
  })

  test('a forged link or address is refused at these names too', async () => {
    const { events, send: sendOne } = await newSender(true)
    const mail = await sendOne()
    const forged = (text: string) => text.replace(/.(?=[@.])/, last => (last === '0' ? '1' : '0'))
    const bounce = bounceMail('undisclosed', [statusGroup(mail.to)])
    expect(await sendMail(portNumber, { to: forged(mail.from), raw: bounce })).toBe(550)
    const click = { ...oneClick, headers: { ...oneClick.headers, host: mail.link.host } }
    const answer = await app.app.inject({ method: 'POST', url: forged(mail.link.pathname), ...click })
    expect(answer.statusCode).toBe(404)
    expect(await events()).toEqual([])
  })

  test('names without a right record are never used', async () => {
    const { name, domain, account, publish, send: sendOne } = await newSender(false)
    const usesOperators = async () => {
      const mail = await sendOne()
      expect(domainOf(mail.from)).toBe(operatorsPath)
      expect(domainOf(mail.mailto)).toBe(operatorsPath)
      expect(mail.link.origin).toBe(operatorsUrl)
    }
    expect(recordOf(await account.check(domain), 'link_cname').state).toBe('missing')
    await usesOperators()

    dns.cname(`bounces.${name}`, 'elsewhere.example')
    dns.addresses(`links.${name}`, '192.0.2.1')
    const wrong = await account.check(domain)
    expect(recordOf(wrong, 'return_path_cname')).toMatchObject({
      state: 'wrong',
      found: ['elsewhere.example'],
    })
    expect(recordOf(wrong, 'link_cname').state).toBe('missing')
    await usesOperators()

    dns.cname(`bounces.${name}`, `x${operatorsPath}`)
    expect(recordOf(await account.check(domain), 'return_path_cname').state).toBe('wrong')
    await usesOperators()

    dns.cname(`links.${name}.${name}`, 'mail.posthorn.example')
    expect(recordOf(await account.check(domain), 'link_cname')).toMatchObject({
      state: 'wrong',
      message: expect.stringContaining('Enter links as its name'),
    })

    // the records alone do not prove who owns the domain
    publish()
    dns.txt(recordOf(domain, 'dkim').name)
    expect((await account.check(domain)).return_path_verified_at).not.toBeNull()
    await usesOperators()
  })

  test('another account that adds the same domain with the same names never uses them', async () => {
    const { name, send: sendOne } = await newSender(true)
    const names = { return_path_domain: `bounces.${name}`, link_host: `links.${name}` }
    const other = await newDomainAccount(app)
    const { body } = await other.ask('POST', '/v1/domains', { name, ...names })
    const theirs = await other.check(body as unknown as SendingDomain)
    expect(theirs).toMatchObject({ verified_at: null, return_path_verified_at: expect.any(String) })
    const mail = await send(other.accountUuid, `news@${name}`)
    expect([domainOf(mail.from), mail.link.origin]).toEqual([operatorsPath, operatorsUrl])
    expect(domainOf((await sendOne()).from)).toBe(`bounces.${name}`)
  })

  test('a record that disappears causes a notice and the names of the operator, and earlier mail still comes back', async () => {
    const { name, domain, account, events, send: sendOne } = await newSender(true)
    await account.ask('PUT', '/v1/notice-webhook', { url: 'https://ops.example.com/x' })
    const before = await sendOne()
    dns.cname(`bounces.${name}`, null)
    dns.cname(`links.${name}`, null)
    const startMs = Date.now()
    for (const hours of [25, 30]) await checkDueDomains(ctx, startMs + hours * hourMs)
    // two checks may have met a name server that is wrong
    expect(domainOf((await sendOne()).from)).toBe(`bounces.${name}`)
    await checkDueDomains(ctx, startMs + 35 * hourMs)
    const after = await sendOne()
    expect([domainOf(after.from), after.link.origin]).toEqual([operatorsPath, operatorsUrl])

    const notices = async () => (await noticesOf(account.accountUuid)).map(({ type }) => type)
    const [notice] = await noticesOf(account.accountUuid)
    expect(notice).toMatchObject({
      type: 'domain.warning',
      data: {
        name,
        message: expect.stringMatching(/operator's return path.*operator's host/),
        records: [{ purpose: 'return_path_cname' }, { purpose: 'link_cname' }],
      },
    })
    const bounce = bounceMail('undisclosed', [statusGroup(before.to)])
    expect(await sendMail(portNumber, { to: before.from, raw: bounce })).toBe(250)
    expect((await events()).map(({ type }) => type)).toEqual(['email.bounced'])

    dns.cname(`bounces.${name}`, recordOf(domain, 'return_path_cname').value)
    dns.cname(`links.${name}`, recordOf(domain, 'link_cname').value)
    await checkDueDomains(ctx, startMs + 60 * hourMs)
    expect(await notices()).toEqual(['domain.warning', 'domain.recovered'])
    expect(domainOf((await sendOne()).from)).toBe(`bounces.${name}`)
  })

  async function noticesOf(accountId: string): Promise<Array<{ type: string; data: object }>> {
    const rows = await db.query<{ body: string }>(
      `select convert_from(body, 'utf8') as body from event
       where account_id = $1 and type::text like 'domain.%' order by id`,
      [accountId],
    )
    return rows.map(({ body }) => JSON.parse(body))
  }

  test('if DNS fails, the names stay in use', async () => {
    const { name, domain, account, send: sendOne } = await newSender(true)
    for (const host of [`bounces.${name}`, `links.${name}`]) dns.misbehave(host, 'servfail')
    expect(recordOf(await account.check(domain), 'link_cname').state).toBe('failed')
    for (let day = 1; day < 5; day++) await checkDueDomains(ctx, Date.now() + day * 25 * hourMs)
    const mail = await sendOne()
    expect([domainOf(mail.from), mail.link.hostname]).toEqual([`bounces.${name}`, `links.${name}`])
  })

  test('a changed name is not used before it is checked, and null turns one off', async () => {
    const { name, domain, account, update, send: sendOne } = await newSender(true)
    const same = await update({ return_path_domain: `Bounces.${name}.` })
    expect(same.body['return_path_verified_at']).not.toBeNull()
    const changed = await update({ return_path_domain: `rp.${name}` })
    expect(changed.body).toMatchObject({
      return_path_domain: `rp.${name}`,
      return_path_verified_at: null,
      link_host: `links.${name}`,
      link_host_verified_at: expect.any(String),
    })
    expect(recordOf(changed.body as unknown as SendingDomain, 'return_path_cname').state).toBe('unchecked')
    const mail = await sendOne()
    expect([domainOf(mail.from), mail.link.hostname]).toEqual([operatorsPath, `links.${name}`])

    dns.cname(`rp.${name}`, operatorsPath)
    await account.check(domain)
    expect(domainOf((await sendOne()).from)).toBe(`rp.${name}`)
    const off = await update({ return_path_domain: null, link_host: null })
    const purposes = (off.body as unknown as SendingDomain).records.map(({ purpose }) => purpose)
    expect(purposes).toEqual(['dkim', 'dmarc', 'return_path_mx', 'return_path_spf'])
    const last = await sendOne()
    expect([domainOf(last.from), last.link.origin]).toEqual([operatorsPath, operatorsUrl])
  })

  test('what a check found at an old name does not count for a new one', async () => {
    const { name, domain, account, update } = await newSender(true)
    const domainId = parseTypeId('dom', domain.id) ?? ''
    for (const check of [
      async (during: Ctx) => await checkSendingDomain(during, account.accountUuid, domainId),
      async (during: Ctx) => await checkDueDomains(during, Date.now() + 25 * hourMs),
    ]) {
      await update({ return_path_domain: `bounces.${name}` })
      let asked = 0
      const cname = async (host: string) => {
        if (host === `bounces.${name}` && asked++ === 0) await update({ return_path_domain: `rp.${name}` })
        return await ctx.outside.dns.cname(host)
      }
      const outside = { ...ctx.outside, dns: { ...ctx.outside.dns, cname } }
      await check({ ...ctx, outside })
      expect(asked).toBe(1)
      const { body } = await account.ask('GET', `/v1/domains/${domain.id}`)
      expect(body).toMatchObject({ return_path_domain: `rp.${name}`, return_path_verified_at: null })
    }
  })
})
