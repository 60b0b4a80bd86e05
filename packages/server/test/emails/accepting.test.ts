import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { call, newCustomer, openTestApp, type TestApp } from '../http/test-app.ts'
import { verbBackends, openTestDatabase } from '../support/test-database.ts'
import { verbContext } from '../verbs/verb-context.ts'

const email = { from: 'Shop <a@shop.example>', to: ['ann@one.example'], subject: 'Hi', text: 'x' }

describe.each(verbBackends())('accepting emails on $name', backend => {
  let db: Database
  let app: TestApp
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    app = await openTestApp(db)
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
  })

  const countStored = async (): Promise<number> =>
    (
      await db.query(
        'select 1 as one from email union all select 1 from handover union all select 1 from email_content',
      )
    ).length

  test('without a mail server, the error names the missing setting, and nothing is stored', async () => {
    const ctx = verbContext(db)
    const settings = { ...ctx.settings, canSendMail: false }
    await using without = await openTestApp(db, { ctx: { ...ctx, settings } })
    const { apiKey } = await newCustomer(without)
    const before = await countStored()
    const answer = await call(without, 'POST', '/v1/emails', { as: apiKey, json: email })
    expect(answer).toMatchObject({ status: 409, body: { code: 'sending_not_configured' } })
    expect(answer.body['detail']).toContain('POSTHORN_SMTP_URL')
    expect(await countStored()).toBe(before)
  })

  const many = Array.from({ length: 60 }, (_, n) => `reader${n}@one.example`)
  test.each([
    ['no recipient', { to: [] }, '/to'],
    ['too many in all', { to: many, cc: many }, '/to'],
    ['no address', { to: ['ann'] }, '/to/0'],
    ['a name with a comma', { cc: ['Ann, Bob <ann@one.example>'] }, '/cc/0'],
    ['a long local part', { from: `${'ä'.repeat(33)}@shop.example` }, '/from'],
    ['nothing to read', { text: undefined }, '/text'],
    ['a field of ours', { headers: { 'Message-Id': '<a@b>' } }, '/headers/Message-Id'],
    ['an injected field', { headers: { 'X-A': 'a\r\nBcc: eve@evil.example' } }, '/headers/X-A'],
    ['a field twice', { headers: { 'X-A': 'a', 'x-a': 'b' } }, '/headers'],
    ['two ways to unsubscribe', { unsubscribe: {}, headers: { 'List-Unsubscribe': '<x>' } }, '/headers'],
    ['no base64', { attachments: [{ filename: 'a', content: 'a' }] }, '/attachments/0/content'],
    ['a path', { attachments: [{ filename: '../a', content: '' }] }, '/attachments/0/filename'],
    ['too much', { text: 'x'.repeat(9 * 1024 * 1024 + 1) }, '/attachments'],
    ['half a character', { tags: { kind: 'receipt \ud800' } }, '/tags/kind'],
    ['an unknown field', { attachment: [] }, '/attachment'],
  ])(
    'an email with %s is rejected with the place of the error, and nothing is stored',
    async (_, input, path) => {
      const { apiKey } = await newCustomer(app)
      const before = await countStored()
      const answer = await call(app, 'POST', '/v1/emails', { as: apiKey, json: { ...email, ...input } })
      expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed', errors: [{ path }] } })
      expect(await countStored()).toBe(before)
    },
  )

  test('unusual but valid fields are stored and shown as they were given', async () => {
    const { apiKey } = await newCustomer(app)
    const json = {
      ...email,
      from: '"Ünal, Söhne" <post@münchen.example>',
      to: ["Pat O'Neill <o'neill+news@ONE.example>"],
      tags: { kind: 'receipt 🧾' },
      metadata: { order: 7, gift: null, note: 'a\nb' },
      headers: { 'X-Campaign': 'März' },
    }
    const { status, body } = await call(app, 'POST', '/v1/emails', { as: apiKey, json })
    expect(status).toBe(202)
    const record = await call(app, 'GET', `/v1/emails/${String(body['email_id'])}`, { as: apiKey })
    expect(record.body).toMatchObject({
      from: '"Ünal, Söhne" <post@münchen.example>',
      to: ["o'neill+news@one.example"],
      metadata: { order: 7, gift: null, note: 'a\nb' },
      message_id: `${String(body['email_id'])}@xn--mnchen-3ya.example`,
      states: { queued: 1 },
      recipients: [{ state: 'queued', tries: 0, outcome_expected: true }],
    })
  })

  test('a key without the required scope sends nothing', async () => {
    const { apiKey } = await newCustomer(app, ['read', 'ingest'])
    const answer = await call(app, 'POST', '/v1/emails', { as: apiKey, json: email })
    expect(answer.body.code).toBe('insufficient_scope')
  })
})
