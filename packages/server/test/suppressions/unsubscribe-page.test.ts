import { createHash } from 'node:crypto'
import { examples } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { unsubscribeLanguages, unsubscribeWords } from '../../src/http/unsubscribe-words.ts'
import { call, newCustomer, openTestApp, type TestApp } from '../http/test-app.ts'
import { newIntake } from '../outcomes/new-intake.ts'
import { embedded, openTestDatabase } from '../support/test-database.ts'
import { oneClick, sendEmail } from './sent-email.ts'

let db: Database
let app: TestApp
beforeAll(async () => {
  db = await openTestDatabase(embedded)
  app = await openTestApp(db, { intake: newIntake(db) })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
})

const visit = async (url: string, language?: string, request: object = {}) => {
  const headers = language === undefined ? {} : { 'accept-language': language }
  const response = await app.app.inject({ method: 'GET', url, headers, ...request })
  return { status: response.statusCode, headers: response.headers, text: response.body }
}

async function newLink(branding: object = {}, email: Parameters<typeof sendEmail>[2] = {}): Promise<string> {
  const { apiKey: as, accountUuid } = await newCustomer(app)
  expect((await call(app, 'PATCH', '/v1/branding', { as, json: branding })).status).toBe(200)
  return (await sendEmail(app.ctx, accountUuid, email)).link
}

describe('the language of the page', () => {
  test.each([
    [undefined, 'en'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['ja,uk;q=0.4,ru;q=0.3', 'uk'],
    ['de;q=0, tr;q=0.1', 'tr'],
    ['xx', 'en'],
  ] as const)('for %s is %s', async (header, language) => {
    const { headers, text } = await visit(await newLink(), header)
    expect([headers['content-language'], headers['vary']]).toEqual([language, 'Accept-Language'])
    expect(text).toContain(`<html lang="${language}">`)
    expect(text).toContain(`<button>${unsubscribeWords[language].unsubscribe}</button>`)
  })

  test('also applies to answers, dead links and requests that nobody understands', async () => {
    const link = await newLink()
    const { headers } = oneClick
    const post = { method: 'POST', headers: { ...headers, 'accept-language': 'pl' } }
    const done = await visit(link, undefined, { ...post, payload: 'scope=list' })
    expect(done.text).toContain(unsubscribeWords.pl.done)
    const wrong = await visit(link, undefined, { ...post, payload: 'x=y' })
    expect([wrong.status, wrong.text]).toEqual([
      400,
      expect.stringContaining(unsubscribeWords.pl.misunderstood),
    ])
    const dead = await visit('/u/x', 'pl')
    expect([dead.status, dead.text]).toEqual([404, expect.stringContaining(unsubscribeWords.pl.deadLink)])
  })

  test.each(unsubscribeLanguages)('%s has its own texts, and names the list where English does', language => {
    const [english, words] = [unsubscribeWords.en, unsubscribeWords[language]]
    for (const [key, text] of Object.entries(words)) {
      const original = english[key as keyof typeof english]
      expect([key, text.split('{list}').length]).toEqual([key, original.split('{list}').length])
      expect([key, text.trim() !== '' && (language === 'en' || text !== original)]).toEqual([key, true])
    }
  })
})

describe('the card', () => {
  test('has the name, logo and color of the account, and half of the address', async () => {
    const { logo } = examples.updateBranding.body
    const { text } = await visit(await newLink({ name: 'Acme Shop', color: '#ffee00', logo }))
    expect(text).toContain('<bdi class="sender">Acme Shop</bdi>')
    expect(text).toContain('<bdi class="address">a•••@example.org</bdi>')
    expect(text).not.toContain('ann@')
    expect(text).toContain(`<img src="data:image/png;base64,${logo}" alt="">`)
    expect(text).toContain('--brand: #ffee00; --on-brand: #000000; --brand-edge: var(--edge);')
  })

  test('has the name in the From field if the account has no branding, and none after the email is gone', async () => {
    const link = await newLink()
    expect((await visit(link)).text).toContain('<bdi class="sender">Acme</bdi>')
    await db.query('delete from email_recipient')
    await db.query('delete from email')
    const { text } = await visit(link)
    expect(text).not.toContain('class="sender"')
    // the account’s own name is between the customer and the operator
    expect(text).not.toContain('Test')
  })

  test.each([
    '"><script>alert(1)</script>',
    '</style><img src=x onerror=alert(1)>',
    '&amp;<b>bold</b>',
    '{list} $& $1',
    '\u202Egro.evil\u202C שלום',
  ])('shows the name %s as text', async name => {
    const { text } = await visit(await newLink({ name }, { list: '{list} $&' }))
    const escaped = name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
    expect(text).toContain(`<bdi class="sender">${escaped}</bdi>`)
    expect(text).toContain('“<bdi>{list} $&amp;</bdi>”')
    expect(text).not.toMatch(/<script|<img|<b>/)
  })

  test('makes no requests, and allows no script and no other style', async () => {
    const { headers, text } = await visit(await newLink(examples.updateBranding.body))
    const [, style = ''] = /<style>([^]*)<\/style>/.exec(text) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    )
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
    })
    expect(text).not.toMatch(/https?:|<link|<script|url\(/)
  })
})
