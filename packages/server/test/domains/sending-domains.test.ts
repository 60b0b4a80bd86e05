import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { SendingDomain } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { call, operatorToken, type TestApp } from '../http/test-app.ts'
import { connectApi, newCustomer } from '../support/api.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { embedded, newDatabasePlace, openTestDatabase, verbBackends } from '../support/test-database.ts'
import { newDomainAccount, newName, openDomainApp, recordOf } from './domain-account.ts'

describe.each(verbBackends())('sending domains on $name', backend => {
  let db: Database
  let dns: DnsServer
  let app: TestApp
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

  test('a new domain shows the records to publish and never its private key', async () => {
    const account = await newDomainAccount(app)
    const domain = await account.add('Mail.ACME-1.example.')
    expect(domain).toMatchObject({
      name: 'mail.acme-1.example',
      verified_at: null,
      checked_at: null,
      records: [
        {
          purpose: 'dkim',
          required: true,
          type: 'TXT',
          name: `${domain.dkim_selector}._domainkey.mail.acme-1.example`,
          state: 'unchecked',
          message: null,
        },
        { purpose: 'dmarc', type: 'TXT', name: '_dmarc.mail.acme-1.example', value: 'v=DMARC1; p=none' },
        { purpose: 'return_path_mx', type: 'MX', name: 'bounces.acme.example', value: '10 mx.acme.example' },
        { purpose: 'return_path_spf', type: 'TXT', value: 'v=spf1 a:mx.acme.example ~all' },
      ],
    })
    const key = /^v=DKIM1; k=rsa; p=(.+)$/.exec(recordOf(domain, 'dkim').value)?.[1] ?? ''
    const parsed = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
    expect(parsed.asymmetricKeyDetails?.modulusLength).toBe(2048)

    const everywhere = JSON.stringify([
      (await account.ask('GET', '/v1/domains')).body,
      (await account.ask('GET', `/v1/domains/${domain.id}`)).body,
      (await account.ask('GET', '/v1/audit-log')).body,
      await db.query('select encode(private_key_sealed, $1) as sealed from sending_domain', ['escape']),
    ])
    expect(everywhere).toContain(domain.id)
    expect(everywhere).not.toContain('PRIVATE KEY')
  })

  test('mail is signed with the domain’s key once the key is published', async () => {
    const account = await newDomainAccount(app)
    const name = newName()
    const domain = await account.add(name)
    expect(await account.keyFor(name)).toBeNull()

    const { name: at, value } = recordOf(domain, 'dkim')
    dns.txt(at, value)
    dns.txt(`_dmarc.${name}`, 'v=DMARC1; p=reject; rua=mailto:d@acme.example')
    dns.mx('bounces.acme.example', { preference: 10, host: 'MX.acme.example' })
    dns.txt('bounces.acme.example', 'unrelated', 'v=spf1 a:mx.acme.example -all')
    const checked = await account.check(domain)
    expect(checked.records.map(record => [record.purpose, record.state])).toEqual([
      ['dkim', 'right'],
      ['dmarc', 'right'],
      ['return_path_mx', 'right'],
      ['return_path_spf', 'right'],
    ])
    expect(checked.verified_at).not.toBeNull()

    const key = await account.keyFor(name)
    expect(key).toMatchObject({ domainName: name, selector: domain.dkim_selector })
    const published = createPublicKey(createPrivateKey(key?.privateKeyPem ?? ''))
    expect(value).toContain(published.export({ type: 'spki', format: 'der' }).toString('base64'))

    const read = (await account.ask('GET', `/v1/domains/${domain.id}`)).body
    expect(read).toEqual(checked)
  })

  test('the nearest verified parent domain signs for a subdomain, and no other domain does', async () => {
    const account = await newDomainAccount(app)
    const name = newName()
    for (const one of [name, `news.${name}`]) {
      const domain = await account.add(one)
      const { name: at, value } = recordOf(domain, 'dkim')
      dns.txt(at, value)
      await account.check(domain)
    }
    expect((await account.keyFor(`eu.news.${name}`))?.domainName).toBe(`news.${name}`)
    expect((await account.keyFor(`shop.${name}`))?.domainName).toBe(name)
    expect(await account.keyFor(`x${name}`)).toBeNull()
    expect(await account.keyFor('example')).toBeNull()
    expect(await (await newDomainAccount(app)).keyFor(name)).toBeNull()
  })

  test('a domain stops signing if its key is gone from DNS, but not if DNS fails', async () => {
    const account = await newDomainAccount(app)
    const name = newName()
    const domain = await account.add(name)
    const { name: at, value } = recordOf(domain, 'dkim')
    dns.txt(at, value)
    const { verified_at: since } = await account.check(domain)

    for (const how of ['servfail', 'garbage'] as const) {
      dns.misbehave(at, how)
      const unanswered = await account.check(domain)
      expect(recordOf(unanswered, 'dkim')).toMatchObject({ state: 'failed', found: [] })
      expect(unanswered.verified_at).toBe(since)
      expect(await account.keyFor(name)).not.toBeNull()
    }
    dns.misbehave(at, null)
    dns.txt(at, 'v=DKIM1; p=')
    expect((await account.check(domain)).verified_at).toBeNull()
    expect(await account.keyFor(name)).toBeNull()
  })

  test('several accounts can add the same domain, but only one at a time can verify it', async () => {
    const [first, second] = [await newDomainAccount(app), await newDomainAccount(app)]
    const name = newName()
    const [mine, other] = [await first.add(name), await second.add(name)]
    dns.txt(recordOf(mine, 'dkim').name, recordOf(mine, 'dkim').value)
    await first.check(mine)
    expect((await second.check(other)).verified_at).toBeNull()

    dns.txt(recordOf(other, 'dkim').name, recordOf(other, 'dkim').value)
    const refused = await second.ask('POST', `/v1/domains/${other.id}/check`)
    expect([refused.status, refused.body.code]).toEqual([409, 'domain_taken'])
    expect(await second.keyFor(name)).toBeNull()

    expect((await first.ask('DELETE', `/v1/domains/${mine.id}`)).status).toBe(204)
    expect(await first.keyFor(name)).toBeNull()
    expect((await second.check(other)).verified_at).not.toBeNull()
  })

  test('a deleted domain is gone with its key and gets a new key when it is added again', async () => {
    const account = await newDomainAccount(app)
    const name = newName()
    const domain = await account.add(name)
    expect((await account.ask('DELETE', `/v1/domains/${domain.id}`)).status).toBe(204)
    for (const [method, path] of [
      ['GET', `/v1/domains/${domain.id}`],
      ['DELETE', `/v1/domains/${domain.id}`],
      ['POST', `/v1/domains/${domain.id}/check`],
    ] as const) {
      expect((await account.ask(method, path)).status).toBe(404)
    }
    const rows = await db.query('select 1 as one from sending_domain where name = $1', [name])
    expect(rows).toEqual([])
    const again = await account.add(name)
    expect(again.dkim_selector).not.toBe(domain.dkim_selector)
    expect(recordOf(again, 'dkim').value).not.toBe(recordOf(domain, 'dkim').value)
  })

  test('deleting an account frees its domain for another account at once', async () => {
    const [first, second] = [await newDomainAccount(app), await newDomainAccount(app)]
    const name = newName()
    const mine = await first.add(name)
    dns.txt(recordOf(mine, 'dkim').name, recordOf(mine, 'dkim').value)
    await first.check(mine)
    expect((await call(app, 'DELETE', `/v1/accounts/${first.accountId}`, { as: operatorToken })).status).toBe(
      204,
    )
    const other = await second.add(name)
    dns.txt(recordOf(other, 'dkim').name, recordOf(other, 'dkim').value)
    expect((await second.check(other)).verified_at).not.toBeNull()
  })

  test.each([
    ['', 422],
    ['example', 422],
    ['localhost', 422],
    ['mail.internal', 422],
    ['192.0.2.1', 422],
    ['a b.example', 422],
    ['ann@acme.example', 422],
    ['acme.example/x', 422],
    ['_dmarc.acme.example', 422],
    ['-a.example', 422],
    [`${'a'.repeat(64)}.example`, 422],
    ['acme.example\r\nx', 422],
    ['acme.example\u0000', 422],
    ['münchen.example', 201],
  ])('the name %j gets %i', async (name, status) => {
    const account = await newDomainAccount(app)
    const answer = await account.ask('POST', '/v1/domains', { name })
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
    if (status === 422) expect(answer.body.errors?.[0]?.path).toBe('/name')
    else expect(answer.body['name']).toBe('xn--mnchen-3ya.example')
  })

  test('an account can add a domain only once and has at most a hundred domains', async () => {
    const account = await newDomainAccount(app)
    const name = newName()
    await account.add(name)
    const twice = await account.ask('POST', '/v1/domains', { name: name.toUpperCase() })
    expect([twice.status, twice.body.code]).toEqual([409, 'domain_exists'])
    await db.query(
      `insert into sending_domain (account_id, id, name, selector, private_key_sealed, public_key)
       select $1, gen_random_uuid(), 'n' || n || '.example', 's', '', '' from generate_series(1, 99) n`,
      [account.accountUuid],
    )
    const beyond = await account.ask('POST', '/v1/domains', { name: newName() })
    expect([beyond.status, beyond.body.code]).toEqual([409, 'domain_limit_reached'])
  })

  test('an account can have its domains checked ten times a minute', async () => {
    const account = await newDomainAccount(app)
    const domain = await account.add(newName())
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) {
      statuses.push((await account.ask('POST', `/v1/domains/${domain.id}/check`)).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
  })
})

test('the service asks the name servers in POSTHORN_DNS_SERVERS', async () => {
  await using place = await newDatabasePlace(embedded)
  await using dns = await startDnsServer()
  await using service = await startService(newInstallation(place), { POSTHORN_DNS_SERVERS: dns.address })
  const { apiKey } = await newCustomer(service.url, service.operator)
  const api = connectApi(service.url, apiKey)
  const { body: domain } = await api.post<SendingDomain>('/v1/domains', { name: 'mail.acme.example' })
  const [dkim] = domain.records
  dns.txt(dkim?.name ?? '', dkim?.value ?? '')
  const { body: checked } = await api.post<SendingDomain>(`/v1/domains/${domain.id}/check`)
  expect(checked.records[0]).toMatchObject({ state: 'right' })
  expect(checked.verified_at).not.toBeNull()
})
