import type { Event } from '@posthorn/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteAccount } from '../../src/accounts/delete-account.ts'
import type { Database } from '../../src/db/database.ts'
import { typeId } from '../../src/domain/type-id.ts'
import { findSuppression } from '../../src/suppressions/find-suppression.ts'
import { call, newCustomer, openTestApp, type TestApp } from '../http/test-app.ts'
import { newIntake } from '../outcomes/new-intake.ts'
import { verbBackends, openTestDatabase } from '../support/test-database.ts'
import { oneClick, sendEmail } from './sent-email.ts'

const choice = (scope: string) => ({ ...oneClick, payload: `scope=${scope}` })

describe.each(verbBackends())('unsubscribe links on $name', backend => {
  let db: Database
  let app: TestApp
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    app = await openTestApp(db, { intake: newIntake(db) })
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
  })

  interface Posted {
    payload?: string | Buffer
    headers?: Record<string, string>
  }
  const visit = async (
    url: string,
    method: 'GET' | 'HEAD' | 'POST' | 'PUT' = 'GET',
    request: Posted = {},
  ) => {
    const response = await app.app.inject({ method, url, ...request })
    return { status: response.statusCode, headers: response.headers, text: response.body }
  }

  async function newSender() {
    const { apiKey: as, accountUuid } = await newCustomer(app)
    const events = async (): Promise<Event[]> =>
      (await call(app, 'GET', '/v1/events?limit=250', { as })).body['data'] as Event[]
    const refused = async (list: string | null | undefined, address = 'ann@example.org') => {
      const unsubscribe = list === undefined ? null : { list }
      return (await findSuppression(app.ctx, accountUuid, address, unsubscribe))?.reason ?? null
    }
    const lift = async (): Promise<void> => {
      const { body } = await call(app, 'GET', '/v1/suppressions', { as })
      for (const { id } of body['data'] as Array<{ id: string }>) {
        await call(app, 'DELETE', `/v1/suppressions/${id}`, { as })
      }
    }
    return { as, accountUuid, events, refused, lift }
  }

  test('opening a link with GET or HEAD changes nothing, however often', async () => {
    const sender = await newSender()
    const { link } = await sendEmail(app.ctx, sender.accountUuid)
    for (const method of ['GET', 'HEAD', 'GET'] as const) {
      const page = await visit(link, method)
      expect(page.status).toBe(200)
      expect(page.headers['set-cookie']).toBeUndefined()
      expect(page.headers['cache-control']).toBe('no-store')
    }
    const { text } = await visit(`${link}?utm_source=mail`)
    expect(text).toContain('<form method="post">')
    expect(text).toContain('“<bdi>news</bdi>”')
    expect(text).not.toMatch(/<script|ann@example/i)
    expect(await sender.events()).toEqual([])
    expect(await sender.refused('news')).toBeNull()
  })

  test('one click in a mail program unsubscribes from the list of the mail', async () => {
    const sender = await newSender()
    const { link, emailId } = await sendEmail(app.ctx, sender.accountUuid)
    const answer = await visit(link, 'POST', oneClick)
    expect(answer.status).toBe(200)
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(answer.headers['location']).toBeUndefined()
    expect(await sender.events()).toMatchObject([
      {
        type: 'email.unsubscribed',
        data: {
          email_id: typeId('em', emailId),
          to: ['ann@example.org'],
          recipient: 'ann@example.org',
          message_id: 'm1@acme.example',
          from: 'Acme <news@acme.example>',
          subject: 'News in November',
          tags: { kind: 'news' },
          metadata: { n: 1 },
          sent_at: expect.stringMatching(/Z$/),
          unsubscribe: { source: 'one_click', scope: { type: 'list', id: 'news' } },
        },
      },
    ])
    expect(await sender.refused('news')).toBe('unsubscribe')
    expect(await sender.refused('offers')).toBeNull()
    expect(await sender.refused(undefined)).toBeNull()
  })

  test('one-click may also be sent as multipart/form-data', async () => {
    const sender = await newSender()
    const { link } = await sendEmail(app.ctx, sender.accountUuid, { list: null })
    const payload = [
      '--=_b',
      'Content-Disposition: form-data; name="List-Unsubscribe"',
      '',
      'One-Click',
      '--=_b--',
      '',
    ].join('\r\n')
    const headers = { 'content-type': 'multipart/form-data; boundary="=_b"' }
    expect((await visit(link, 'POST', { payload, headers })).status).toBe(200)
    expect(await sender.events()).toMatchObject([{ data: { unsubscribe: { scope: { type: 'all' } } } }])
    expect(await sender.refused('whatever')).toBe('unsubscribe')
    expect(await sender.refused(undefined)).toBeNull()
  })

  test.each([
    ['with a line break at its end', { ...oneClick, payload: `${oneClick.payload}\r\n` }],
    ['as plain text', { payload: oneClick.payload, headers: { 'content-type': 'text/plain' } }],
    [
      'as plain text with a line break',
      { payload: `${oneClick.payload}\n`, headers: { 'content-type': 'text/plain; charset=utf-8' } },
    ],
    ['without a media type', { payload: oneClick.payload, headers: { 'content-type': '' } }],
  ])('one-click counts %s', async (_, request) => {
    const sender = await newSender()
    const { link } = await sendEmail(app.ctx, sender.accountUuid)
    expect((await visit(link, 'POST', request)).status).toBe(200)
    expect(await sender.events()).toMatchObject([{ data: { unsubscribe: { source: 'one_click' } } }])
  })

  test('the page’s form unsubscribes from the list, or from everything', async () => {
    const sender = await newSender()
    const { link } = await sendEmail(app.ctx, sender.accountUuid)
    const first = await visit(link, 'POST', choice('list'))
    expect(first.text).toContain('You will get no more emails of the list “<bdi>news</bdi>”.')
    expect(await sender.refused('offers')).toBeNull()
    const second = await visit(link, 'POST', choice('all'))
    expect(second.text).toContain('You will get no more mailings from this sender.')
    expect(await sender.refused('offers')).toBe('unsubscribe')
    expect((await sender.events()).map(event => event.data['unsubscribe'])).toEqual([
      { source: 'link', scope: { type: 'all' } },
      { source: 'link', scope: { type: 'list', id: 'news' } },
    ])
  })

  test('unsubscribing again creates no second event until the suppression is lifted', async () => {
    const sender = await newSender()
    const [one, other] = [
      await sendEmail(app.ctx, sender.accountUuid),
      await sendEmail(app.ctx, sender.accountUuid, { address: 'ANN@example.org' }),
    ]
    for (const { link } of [one, one, other]) {
      expect((await visit(link, 'POST', oneClick)).status).toBe(200)
      expect((await visit(link, 'POST', choice('list'))).status).toBe(200)
    }
    expect(await sender.events()).toHaveLength(1)

    await sender.lift()
    expect(await sender.refused('news')).toBeNull()
    await visit(one.link, 'POST', oneClick)
    expect(await sender.events()).toHaveLength(2)
    expect(await sender.refused('news')).toBe('unsubscribe')
  })

  test('another recipient, another list and another sender are not affected', async () => {
    const [sender, stranger] = [await newSender(), await newSender()]
    await sendEmail(app.ctx, stranger.accountUuid)
    const { link } = await sendEmail(app.ctx, sender.accountUuid)
    await visit(link, 'POST', oneClick)
    expect(await sender.refused('news', 'bob@example.org')).toBeNull()
    expect(await stranger.refused('news')).toBeNull()
    const more = await sendEmail(app.ctx, sender.accountUuid, { list: 'offers' })
    await visit(more.link, 'POST', oneClick)
    expect(await sender.events()).toHaveLength(2)
  })

  test('a link works after its mail’s record was dropped, and the event has the remaining data', async () => {
    const sender = await newSender()
    const { link, emailId } = await sendEmail(app.ctx, sender.accountUuid)
    await db.query('delete from email_recipient where account_id = $1', [sender.accountUuid])
    await db.query('delete from email where account_id = $1', [sender.accountUuid])
    expect((await visit(link, 'POST', oneClick)).status).toBe(200)
    const [event] = await sender.events()
    expect(event?.data).toEqual({
      email_id: typeId('em', emailId),
      to: ['ann@example.org'],
      recipient: 'ann@example.org',
      occurred_at: expect.any(String),
      unsubscribe: { source: 'one_click', scope: { type: 'list', id: 'news' } },
    })
  })

  test('forged, truncated and mixed links, and those of a deleted account, all get the same response', async () => {
    const [sender, gone] = [await newSender(), await newSender()]
    const { link, returnPathToken } = await sendEmail(app.ctx, sender.accountUuid)
    const other = await sendEmail(app.ctx, gone.accountUuid)
    await deleteAccount(app.ctx, gone.accountUuid)
    const [token = '', carried = ''] = link.slice(3).split('.')
    const [, othersCarried = ''] = other.link.split('.')
    const dead = [
      '/u/',
      '/u/x',
      `/u/${'0'.repeat(53)}`,
      `/u/${'y'.repeat(5_000)}`,
      `/u/${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}.${carried}`,
      `/u/${token.slice(0, 10)}.${carried}`,
      `/u/${token}.${othersCarried}`,
      `/u/${token}.${carried.slice(0, -2)}`,
      `/u/${token}.`,
      `/u/${returnPathToken}`,
      `/u/${returnPathToken}.${carried}`,
      `/u/${token}%2f..%2f..%2fv1/events`,
      `/u/${token}/v1/events`,
      `/u/%00${token}`,
      other.link,
    ]
    const answers = new Set<string>()
    for (const url of dead) {
      for (const [method, request] of [
        ['GET', {}],
        ['POST', oneClick],
        ['POST', choice('all')],
      ] as const) {
        const { status, headers, text } = await visit(url, method, request)
        expect([url.slice(0, 80), status]).toEqual([url.slice(0, 80), 404])
        const { date: _, 'x-request-id': __, ...same } = headers
        answers.add(JSON.stringify([same, text]))
      }
    }
    expect(answers.size).toBe(1)
    expect(await sender.events()).toEqual([])
    expect(app.logged).toEqual([])
  })

  test.each([
    ['nothing', { headers: {} }],
    ['another value', { ...oneClick, payload: 'List-Unsubscribe=Two-Clicks' }],
    ['another field', { ...oneClick, payload: 'Unsubscribe=One-Click' }],
    ['another scope', choice('everything')],
    [
      'JSON',
      { payload: '{"List-Unsubscribe":"One-Click"}', headers: { 'content-type': 'application/json' } },
    ],
    ['an empty line as plain text', { payload: '\r\n', headers: { 'content-type': 'text/plain' } }],
    ['another form of plain text', { payload: 'scope=all', headers: { 'content-type': 'text/plain' } }],
    [
      'broken multipart',
      {
        payload: '--b\r\nContent-Disposition: form-data',
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      },
    ],
    ['multipart without boundary', { payload: 'x', headers: { 'content-type': 'multipart/form-data' } }],
    ['bytes that are no text', { ...oneClick, payload: Buffer.from([0xff, 0xfe, 0x00, 0x3d, 0x80]) }],
  ])('a POST with %s gets 400 and changes nothing', async (_, request) => {
    const sender = await newSender()
    const { link } = await sendEmail(app.ctx, sender.accountUuid)
    expect((await visit(link, 'POST', request)).status).toBe(400)
    expect(await sender.events()).toEqual([])
    expect(app.logged).toEqual([])
  })

  test('random bytes and media types get 400 and create no event', async () => {
    const sender = await newSender()
    const { link } = await sendEmail(app.ctx, sender.accountUuid)
    const mediaTypes = fc.oneof(
      fc.constantFrom(
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=b',
        'multipart/form-data; boundary=',
        'application/x-www-form-urlencoded; charset=utf-7',
      ),
      fc.string(),
    )
    const bodies = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string().map(text => Buffer.from(`--b${text}`)),
    )
    await fc.assert(
      fc.asyncProperty(mediaTypes, bodies, async (type, bytes) => {
        const headers = { 'content-type': type.replaceAll(/[^\x20-\x7e]/g, '') }
        const answer = await visit(link, 'POST', { payload: Buffer.from(bytes), headers })
        expect(answer.status).toBe(400)
      }),
      { numRuns: 60 },
    )
    expect(await sender.events()).toEqual([])
    expect(app.logged).toEqual([])
  })

  test('a body that is too large gets 413, and any other method gets 405', async () => {
    const sender = await newSender()
    const { link } = await sendEmail(app.ctx, sender.accountUuid)
    const large = { ...oneClick, payload: `${oneClick.payload}&x=${'y'.repeat(20_000)}` }
    expect((await visit(link, 'POST', large)).status).toBe(413)
    const put = await visit(link, 'PUT', oneClick)
    expect([put.status, put.headers['allow']]).toEqual([405, 'GET, HEAD, POST'])
    expect(await sender.events()).toEqual([])
  })

  test('the name of a list is escaped on the page', async () => {
    const sender = await newSender()
    const list = `"><script>alert(1)</script>&amp;${'x'.repeat(200)}`
    const { link } = await sendEmail(app.ctx, sender.accountUuid, { list })
    for (const page of [await visit(link), await visit(link, 'POST', choice('list'))]) {
      expect(page.status).toBe(200)
      expect(page.text).not.toContain('<script')
      expect(page.text).toContain('&quot;>&lt;script>alert(1)')
      expect(page.headers['content-security-policy']).toContain("default-src 'none'")
      expect(page.headers['content-security-policy']).toContain("form-action 'self'")
    }
  })
})
