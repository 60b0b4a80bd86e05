import type { NoticeData, SendingDomain } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { checkDueDomains } from '../../src/domains/check-due-domains.ts'
import type { TestApp } from '../http/test-app.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { openTestDatabase, verbBackends } from '../support/test-database.ts'
import {
  domainContext,
  type DomainAccount,
  newDomainAccount,
  newName,
  openDomainApp,
  recordOf,
} from './domain-account.ts'

const hourMs = 3_600_000

describe.each(verbBackends())('daily checks of sending domains on $name', backend => {
  let db: Database
  let dns: DnsServer
  let app: TestApp
  let nowMs = Date.now()
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    dns = await startDnsServer()
    app = await openDomainApp(db, dns)
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    await dns[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
  })

  interface Watched {
    account: DomainAccount
    name: string
    dkim: string
    value: string
    /** Lets hours pass, then runs the check if it is due. */
    after: (hours: number) => Promise<SendingDomain>
    notices: () => Promise<Array<{ type: string; data: NoticeData<'domain.warning'> }>>
  }

  /** An account with a notice webhook and a verified domain with a DMARC record. */
  async function newWatched(): Promise<Watched> {
    const account = await newDomainAccount(app)
    expect(
      (await account.ask('PUT', '/v1/notice-webhook', { url: 'https://ops.example.com/x' })).status,
    ).toBe(200)
    const name = newName()
    const domain = await account.add(name)
    const { name: dkim, value } = recordOf(domain, 'dkim')
    dns.txt(dkim, value)
    dns.txt(`_dmarc.${name}`, 'v=DMARC1; p=none')
    nowMs = Date.now()
    expect((await account.check(domain)).verified_at).not.toBeNull()
    return {
      account,
      name,
      dkim,
      value,
      after: async hours => {
        nowMs += hours * hourMs
        await checkDueDomains(domainContext(db, dns), nowMs)
        return (await account.ask('GET', `/v1/domains/${domain.id}`)).body as unknown as SendingDomain
      },
      notices: async () => {
        const rows = await db.query<{ body: string }>(
          `select convert_from(body, 'utf8') as body from event where account_id = $1 order by id`,
          [account.accountUuid],
        )
        return rows.map(({ body }) => JSON.parse(body))
      },
    }
  }

  test('a domain whose key is gone in three checks is not verified, the account is told once, and it recovers', async () => {
    const { account, name, dkim, value, after, notices } = await newWatched()
    dns.txt(dkim)
    const first = await after(25)
    expect(recordOf(first, 'dkim').state).toBe('missing')
    expect(first.verified_at).not.toBeNull()
    expect((await after(5)).verified_at).not.toBeNull()
    expect(await account.keyFor(name)).not.toBeNull()
    expect(await notices()).toEqual([])

    expect((await after(5)).verified_at).toBeNull()
    expect(await account.keyFor(name)).toBeNull()
    await after(25)
    const told = await notices()
    expect(told.map(({ type }) => type)).toEqual(['domain.warning'])
    expect(told[0]?.data).toMatchObject({
      name,
      message: expect.stringContaining('no longer signs'),
      records: [{ purpose: 'dkim', name: dkim }],
    })

    dns.txt(dkim, value)
    expect((await after(25)).verified_at).not.toBeNull()
    expect((await notices()).map(({ type }) => type)).toEqual(['domain.warning', 'domain.recovered'])
  })

  test('a lost DMARC record causes a notice, and the mail is still signed', async () => {
    const { account, name, after, notices } = await newWatched()
    dns.txt(`_dmarc.${name}`)
    for (const hours of [25, 5, 5]) await after(hours)
    expect(await notices()).toMatchObject([
      { type: 'domain.warning', data: { records: [{ purpose: 'dmarc' }] } },
    ])
    expect(await account.keyFor(name)).not.toBeNull()
  })

  test('an outage of DNS changes nothing, however long it lasts', async () => {
    const { account, name, dkim, after, notices } = await newWatched()
    for (const how of ['servfail', 'garbage'] as const) {
      dns.misbehave(dkim, how)
      dns.misbehave(`_dmarc.${name}`, how)
      for (let day = 0; day < 4; day++) expect((await after(25)).verified_at).not.toBeNull()
    }
    dns.misbehave(dkim, null)
    dns.misbehave(`_dmarc.${name}`, null)
    expect(await account.keyFor(name)).not.toBeNull()
    expect(await notices()).toEqual([])
  })

  test('a record that is missing for a moment is not lost, and nothing is checked before it is due', async () => {
    const { dkim, value, after, notices } = await newWatched()
    for (let turn = 0; turn < 3; turn++) {
      dns.txt(dkim)
      await after(25)
      expect(recordOf(await after(3), 'dkim').state).toBe('missing')
      dns.txt(dkim, value)
      expect(recordOf(await after(2), 'dkim').state).toBe('right')
      dns.txt(dkim)
      expect(recordOf(await after(23), 'dkim').state).toBe('right')
      dns.txt(dkim, value)
      await after(2)
    }
    expect(await notices()).toEqual([])
  })

  test('a record that was never right causes no notice, and its domain is verified once it is published', async () => {
    const { account, notices } = await newWatched()
    const domain = await account.add(newName())
    await account.check(domain)
    for (let day = 0; day < 4; day++) await checkDueDomains(domainContext(db, dns), (nowMs += 25 * hourMs))
    expect(await notices()).toEqual([])
    const { name, value } = recordOf(domain, 'dkim')
    dns.txt(name, value)
    await checkDueDomains(domainContext(db, dns), (nowMs += 25 * hourMs))
    expect((await account.ask('GET', `/v1/domains/${domain.id}`)).body['verified_at']).not.toBeNull()
  })
})
