import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { type Suppression, type SuppressionImport, suppressionImport } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { advanceErasures } from '../../src/erasures/advance-erasures.ts'
import { findSuppression } from '../../src/suppressions/find-suppression.ts'
import { call, newCustomer, openTestApp, type TestApp } from '../http/test-app.ts'
import { openTestDatabase, verbBackends } from '../support/test-database.ts'
import { until } from '../support/until.ts'

describe.each(verbBackends())('suppression lists on $name', backend => {
  let db: Database
  let app: TestApp
  let url: URL
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    app = await openTestApp(db)
    url = new URL(await app.app.listen({ host: '127.0.0.1', port: 0 }))
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
  })

  /** A new account and its operations in the API. */
  async function newAccount() {
    const { apiKey: as, accountUuid } = await newCustomer(app)
    return {
      as,
      send: async (payload: string | Buffer) =>
        await call(app, 'POST', '/v1/suppressions/import', {
          as,
          payload,
          headers: { 'content-type': 'text/csv; charset=utf-8' },
        }),
      async import(payload: string | Buffer): Promise<SuppressionImport> {
        const answer = await this.send(payload)
        expect(answer.status, JSON.stringify(answer.body)).toBe(200)
        return suppressionImport.parse(answer.body)
      },
      export: async (): Promise<string> => {
        const response = await app.app.inject({
          url: '/v1/suppressions/export',
          headers: { authorization: `Bearer ${as}` },
        })
        expect(response.statusCode).toBe(200)
        expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
        return response.body
      },
      list: async () =>
        (await call(app, 'GET', '/v1/suppressions?limit=250', { as })).body['data'] as Suppression[],
      refused: async (address: string, unsubscribe: { list?: string } | null = null) =>
        (await findSuppression(app.ctx, accountUuid, address, unsubscribe))?.reason ?? null,
    }
  }

  test('an imported list is stored with its reasons and scopes, and importing it again changes nothing', async () => {
    const account = await newAccount()
    const csv = [
      'Name,address,scope,list,reason',
      '"Ann ""the"" first, of three",ann@example.org,,,bounce',
      'Bob,bob@example.org,list,news,unsubscribe',
      'Cleo,"cleo@example.org",all_lists,,',
      '',
      'Dora,dora@example.org,,,domain_bounce',
      'Ann again,ANN@Example.org,,,bounce',
    ].join('\r\n')

    expect(await account.import(csv)).toEqual({
      lines: 5,
      added: 4,
      unchanged: 1,
      rejected: 0,
      rejections: [],
    })
    expect(await account.refused('ann@example.org')).toBe('bounce')
    expect(await account.refused('bob@example.org')).toBeNull()
    expect(await account.refused('bob@example.org', { list: 'news' })).toBe('unsubscribe')
    expect(await account.refused('cleo@example.org', {})).toBe('manual')
    const dora = (await account.list()).find(one => one.address === 'dora@example.org')
    expect(Date.parse(dora?.lapses_at ?? '') - Date.parse(dora?.created_at ?? '')).toBeGreaterThan(
      29 * 86_400_000,
    )

    expect(await account.import(`\uFEFF${csv}\r\n`)).toMatchObject({ added: 0, unchanged: 5 })
    expect(await account.list()).toHaveLength(4)
  })

  test('an invalid line is rejected with its number and reason, and the rest is stored', async () => {
    const account = await newAccount()
    const csv = Buffer.concat([
      Buffer.from(
        'address,scope,list,reason\nann@example.org\nnobody\n"two\nlines"@x.y\nbob@example.org,list\n',
      ),
      Buffer.from('cleo@example.org,all_lists,news\ndora@example.org,all_mail,,dislike\n'),
      Buffer.from([0x65, 0xff, 0x40, 0x78, 0x2e, 0x79, 0x0a]),
      Buffer.from('eve@example.org,,,\nfay@example.org,,,"bounce'),
    ])

    const answer = await account.import(csv)

    expect(answer).toMatchObject({ lines: 10, added: 2, rejected: 8 })
    expect(answer.rejections).toEqual([
      { line: 3, reason: 'address must be an email address' },
      { line: 4, reason: 'has a quote in the wrong place' },
      { line: 5, reason: 'has a quote in the wrong place' },
      { line: 6, reason: 'list is required if the scope is list, and not allowed otherwise' },
      { line: 7, reason: 'list is required if the scope is list, and not allowed otherwise' },
      { line: 8, reason: expect.stringMatching(/^reason must be one of bounce, /) },
      { line: 9, reason: 'is not valid UTF-8' },
      { line: 11, reason: 'has a quote that is not closed' },
    ])
    expect((await account.list()).map(({ address }) => address)).toEqual([
      'eve@example.org',
      'ann@example.org',
    ])
  })

  test('only the first thousand rejections are listed, and all are counted', async () => {
    const account = await newAccount()

    const { lines, rejected, rejections } = await account.import(`address\n${'nobody\n'.repeat(1_100)}`)

    expect([lines, rejected, rejections.length, rejections.at(-1)?.line]).toEqual([
      1_100, 1_100, 1_000, 1_001,
    ])
  })

  test('an unclosed quote causes the rejection of its own line only', async () => {
    const account = await newAccount()
    const many = Array.from({ length: 1_000 }, (_, n) => `reader${n}@example.org`)

    const answer = await account.import(`address\n"open@example.org\n${many.join('\n')}\n`)

    expect(answer).toMatchObject({ lines: 1_001, added: 1_000, rejected: 1, rejections: [{ line: 2 }] })
  })

  test('an exported list can be imported again; lifted suppressions and erased addresses are not exported', async () => {
    const account = await newAccount()
    const many = Array.from({ length: 2_500 }, (_, n) => `reader${n}@example.org`)
    await account.import(`address\n${many.join('\n')}\nlifted@example.org\nerased@example.org\n`)
    await account.import('address,scope,list,reason\n"""q,uoted""@example.org",list,"a,""b""",complaint\n')
    const lifted = (await call(app, 'GET', '/v1/suppressions?address=lifted@example.org', { as: account.as }))
      .body['data'] as Suppression[]
    await call(app, 'DELETE', `/v1/suppressions/${lifted[0]?.id}`, { as: account.as })
    await call(app, 'POST', '/v1/erasures', { as: account.as, json: { recipient: 'erased@example.org' } })
    await until('the address is erased', async () => {
      await advanceErasures(app.ctx)
      return !(await account.export()).includes('erased@')
    })

    const csv = await account.export()

    const [header, ...rows] = csv.trimEnd().split('\r\n')
    expect(header).toBe('address,reason,scope,list,created_at,lapses_at')
    expect(rows).toHaveLength(2_501)
    expect(csv).not.toContain('lifted@')
    expect(rows[0]).toMatch(/^reader0@example\.org,manual,all_mail,,\d{4}-\d\d-\d\dT[\d:.]+Z,$/)
    expect(rows.at(-1)).toMatch(/^"""q,uoted""@example\.org",complaint,list,"a,""b""",/)
    const other = await newAccount()
    expect(await other.import(csv)).toMatchObject({ lines: 2_501, added: 2_501 })
    expect(await other.refused('"q,uoted"@example.org', { list: 'a,"b"' })).toBe('complaint')
    expect(await newAccount().then(async one => await one.export())).toBe(`${header}\r\n`)
  })

  test.each(['=cmd|x', "'+1", ' lead ', 'x\ufffdy', '\ufeffa'])('an export keeps the list %j', async list => {
    const [account, other] = [await newAccount(), await newAccount()]
    const json = { address: '=1+1@example.org', scope: { type: 'list', id: list } }
    await call(app, 'POST', '/v1/suppressions', { as: account.as, json })
    const csv = await account.export()
    expect(csv).toContain("\r\n'=1+1@example.org,manual,list,")
    expect(await other.import(csv)).toMatchObject({ added: 1, rejected: 0 })
    expect(await other.refused('=1+1@example.org', { list })).toBe('manual')
  })

  test('a list is stored while it arrives, and an interrupted import keeps what was stored', async () => {
    const account = await newAccount()
    const sending = request(new URL('/v1/suppressions/import', url), {
      method: 'POST',
      headers: { authorization: `Bearer ${account.as}`, 'content-type': 'text/csv' },
    })
    sending.on('error', () => {})
    sending.write(`address\n${Array.from({ length: 1_500 }, (_, n) => `reader${n}@example.org`).join('\n')}`)
    await until('the first thousand is stored', async () => (await account.list()).length === 250)

    sending.destroy()

    expect(await account.refused('reader999@example.org')).toBe('manual')
    expect(await account.refused('reader1400@example.org')).toBeNull()
  })

  test('a chunked body that grows too large gets 413 before the connection closes', async () => {
    const account = await newAccount()
    const socket = connect(Number(url.port), '127.0.0.1')
    await once(socket, 'connect')
    let answer = ''
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
    socket.write(
      `POST /v1/suppressions/import HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account.as}\r\ncontent-type: text/csv\r\ntransfer-encoding: chunked\r\n\r\n8\r\naddress\n\r\n`,
    )
    const line = `${'x'.repeat(1_023)}\n`
    for (let sent = 0; sent < 33 && answer === ''; sent++) {
      if (!socket.write(`${(1_048_576).toString(16)}\r\n${line.repeat(1_024)}\r\n`))
        await once(socket, 'drain')
    }
    await until('it is refused', () => answer.includes('body_too_large'))
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    socket.destroy()
  })

  test('a list without a header or with another media type is rejected', async () => {
    const account = await newAccount()
    for (const payload of ['', 'ann@example.org\n', '"address\n']) {
      expect((await account.send(payload)).body).toMatchObject({
        code: 'validation_failed',
        errors: [{ path: '' }],
      })
    }
    const asJson = await call(app, 'POST', '/v1/suppressions/import', { as: account.as, json: [] })
    expect(asJson.body.code).toBe('unsupported_media_type')
    expect(app.logged).toEqual([])
  })
})
