import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import type { TestApp } from '../http/test-app.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { embedded, openTestDatabase } from '../support/test-database.ts'
import { newDomainAccount, newName, openDomainApp, recordOf } from './domain-account.ts'

describe('sending domain checks', () => {
  let db: Database
  let dns: DnsServer
  let app: TestApp
  beforeAll(async () => {
    db = await openTestDatabase(embedded)
    dns = await startDnsServer()
    app = await openDomainApp(db, dns)
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    await dns[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
  })

  describe('DKIM check results by published record', () => {
    const otherKey = 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAother'
    test.each([
      ['nothing', () => [], 'missing', /Nothing is published at .*_domainkey/],
      ['another text', () => ['hello'], 'wrong', /none with a key/],
      ['another key', () => [`v=DKIM1; p=${otherKey}`], 'wrong', /Another key is published/],
      ['a revoked key', () => ['v=DKIM1; p='], 'wrong', /revoked/],
      ['half of it', (value: string) => [value.slice(0, 255)], 'wrong', /cut off after \d+ of 392/],
      ['it in quotes', (value: string) => [`"${value}"`], 'wrong', /Quotes or backslashes/],
      [
        'another kind of key',
        (value: string) => [value.replace('k=rsa', 'k=ed25519')],
        'wrong',
        /k= says another/,
      ],
      ['it and another one', (value: string) => [value, `v=DKIM1; p=${otherKey}`], 'wrong', /Several keys/],
      [
        'it with blanks and flags',
        (value: string) => [value.replaceAll('; ', ' ;  t=s ; ').replace('MIIB', 'MI IB ')],
        'right',
        /published/,
      ],
      ['it beside something else', (value: string) => ['v=spf1 -all', value], 'right', /published/],
    ] as const)('%s', async (_, publish, state, message) => {
      const account = await newDomainAccount(app)
      const domain = await account.add(newName())
      const { name, value } = recordOf(domain, 'dkim')
      const texts = publish(value)
      if (texts.length > 0) dns.txt(name, ...texts)
      const record = recordOf(await account.check(domain), 'dkim')
      expect(record).toMatchObject({ state, message: expect.stringMatching(message) })
      expect(record.found).toEqual(state === 'wrong' ? texts : [])
    })

    test('a record whose name repeats the domain is wrong, and the message gives the name to enter', async () => {
      const account = await newDomainAccount(app)
      const domain = await account.add(newName())
      const { name, value } = recordOf(domain, 'dkim')
      dns.txt(`${name}.${domain.name}`, value)
      const record = recordOf(await account.check(domain), 'dkim')
      expect(record).toMatchObject({ state: 'wrong', found: [value] })
      expect(record.message).toContain(`Enter ${domain.dkim_selector}._domainkey as its name`)
    })
  })

  test('the nearest DMARC record counts, including a parent’s; duplicates and records without a policy are wrong', async () => {
    const account = await newDomainAccount(app)
    const parent = newName()
    const name = `eu.news.${parent}`
    const domain = await account.add(name)
    const dmarc = async () => recordOf(await account.check(domain), 'dmarc')
    expect(await dmarc()).toMatchObject({ state: 'missing' })
    dns.txt(`_dmarc.${parent}`, 'v=DMARC1; p=quarantine')
    expect(await dmarc()).toMatchObject({ state: 'right', message: expect.stringContaining(parent) })
    dns.txt(`_dmarc.${name}`, 'v=DMARC1; p=none', 'v=DMARC1; p=reject')
    expect(await dmarc()).toMatchObject({ state: 'wrong', message: expect.stringContaining('Several') })
    dns.txt(`_dmarc.${name}`, 'v=DMARC1; rua=mailto:d@acme.example')
    expect(await dmarc()).toMatchObject({ state: 'wrong', message: expect.stringContaining('policy') })
    dns.txt(`_dmarc.${name}`, 'p=none')
    expect(await dmarc()).toMatchObject({ state: 'wrong', message: expect.stringContaining('v=DMARC1') })
  })

  test('published records are shown with a bounded size and without control characters', async () => {
    const account = await newDomainAccount(app)
    const domain = await account.add(newName())
    const { name } = recordOf(domain, 'dkim')
    dns.txt(
      name,
      Buffer.from([0, 27, 91, 255, 112, 61]),
      ...Array.from({ length: 9 }, () => `p=${'x'.repeat(900)}`),
    )
    const record = recordOf(await account.check(domain), 'dkim')
    expect(record.state).toBe('wrong')
    expect(record.found.length).toBeLessThanOrEqual(5)
    expect(JSON.stringify(record.found)).not.toMatch(/\\u00/)
    for (const text of record.found) expect(text.length).toBeLessThanOrEqual(1_000)
  })
})
