import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { call, openTestApp, operatorToken, type TestApp } from '../http/test-app.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { openTestDatabase, verbBackends } from '../support/test-database.ts'
import { domainContext, newDomainAccount, newName, openDomainApp } from './domain-account.ts'

describe.each(verbBackends())('the names for the return path and links of a domain on $name', backend => {
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

  test.each([
    ['return_path_domain', 'bounces.other.example', /a name below/],
    ['return_path_domain', '', /domain name/],
    ['link_host', 'links_x.DOMAIN', /domain name/],
    ['link_host', 'DOMAIN', /a name below/],
    ['link_host', 'xDOMAIN', /a name below/],
    ['return_path_domain', `${'a.'.repeat(90)}DOMAIN`, /180/],
    ['return_path_domain', `${'ü.'.repeat(22)}DOMAIN`, /180/],
    ['link_host', 'bücher/x.DOMAIN', /domain name/],
  ])('%s %j is refused', async (field, text, message) => {
    const account = await newDomainAccount(app)
    const { id, name } = await account.add(newName())
    const answer = await account.ask('PATCH', `/v1/domains/${id}`, { [field]: text.replace('DOMAIN', name) })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toEqual([{ path: `/${field}`, message: expect.stringMatching(message) }])
  })

  test('the two names must differ', async () => {
    const account = await newDomainAccount(app)
    const name = newName()
    const names = { return_path_domain: `mail.${name}`, link_host: `mail.${name}` }
    const { status, body } = await account.ask('POST', '/v1/domains', { name, ...names })
    expect([status, body.errors]).toEqual([
      422,
      [{ path: '/link_host', message: expect.stringContaining('must differ') }],
    ])
  })

  test('international names are stored as A-labels, like the name of the domain', async () => {
    const account = await newDomainAccount(app)
    const name = newName().replace(/^/, 'bücher-')
    const { status, body } = await account.ask('POST', '/v1/domains', {
      name,
      return_path_domain: `Rückläufer.${name}`,
      link_host: `links.${name}.`,
    })
    expect(status, JSON.stringify(body)).toBe(201)
    const ascii = new URL(`http://${name}`).hostname
    expect(body).toMatchObject({
      name: ascii,
      return_path_domain: `xn--rcklufer-3za0v.${ascii}`,
      link_host: `links.${ascii}`,
    })
    const answer = await account.ask('PATCH', `/v1/domains/${body.id}`, { link_host: `klänge.${name}` })
    expect(answer.body).toMatchObject({ link_host: `${new URL(`http://klänge.${name}`).hostname}` })
  })

  test('the operator needs names that records can point to', async () => {
    const ctx = domainContext(db, dns)
    const outside = { ...ctx.outside, returnPath: () => null, publicUrl: () => 'http://127.0.0.1:4100' }
    await using bare = await openTestApp(db, { ctx: { ...ctx, outside } })
    const account = await newDomainAccount(bare)
    const name = newName()
    for (const [field, setting] of [
      ['return_path_domain', 'POSTHORN_RETURN_PATH_DOMAIN'],
      ['link_host', 'POSTHORN_PUBLIC_URL'],
    ] as const) {
      const answer = await account.ask('POST', '/v1/domains', { name, [field]: `x.${name}` })
      expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([422, `/${field}`])
      expect(answer.body.errors?.[0]?.message).toContain(setting)
    }
  })

  test('the audit log has an entry only if a name changed', async () => {
    const account = await newDomainAccount(app)
    const { id, name } = await account.add(newName())
    const entries = async (): Promise<number> => {
      const { body } = await call(app, 'GET', `/v1/audit-log?account_id=${account.accountId}`, {
        as: operatorToken,
      })
      return (body['data'] as Array<{ action: string }>).filter(({ action }) => action === 'domain.updated')
        .length
    }
    const change = async () => await account.ask('PATCH', `/v1/domains/${id}`, { link_host: `links.${name}` })
    expect([(await change()).status, await entries()]).toEqual([200, 1])
    expect([(await change()).status, await entries()]).toEqual([200, 1])
  })
})
