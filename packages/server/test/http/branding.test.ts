import { randomBytes } from 'node:crypto'
import { examples } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { openTestDatabase, verbBackends } from '../support/test-database.ts'
import { call, newCustomer, openTestApp, operatorToken, type TestApp } from './test-app.ts'

const { name, color, logo } = examples.updateBranding.body
const path = '/v1/branding'

describe.each(verbBackends())('branding on $name', backend => {
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

  const read = async (as: string) => (await call(app, 'GET', path, { as })).body
  const change = async (as: string, json: object) => await call(app, 'PATCH', path, { as, json })

  test('a new account has none, and each field can be set and removed by itself', async () => {
    const { apiKey: as } = await newCustomer(app)
    expect(await read(as)).toEqual({ name: null, color: null, logo: null })
    expect((await change(as, { logo })).body).toMatchObject({ name: null, logo: { data: logo } })
    expect((await change(as, { name, color: '#1D4ED8' })).body).toEqual(examples.updateBranding.answer)
    expect(await read(as)).toEqual(examples.updateBranding.answer)
    await change(as, { logo: null })
    expect(await read(as)).toEqual({ name, color, logo: null })
    await change(as, {})
    expect(await read(as)).toEqual({ name, color, logo: null })
  })

  test.each([
    ['a name with a control character', { name: 'a\u0000b' }, '/name'],
    ['a blank name', { name: '  ' }, '/name'],
    ['an invisible name', { name: '\u200b\u3164 \u2800\u00ad' }, '/name'],
    ['a long name', { name: 'x'.repeat(101) }, '/name'],
    ['a color by name', { color: 'red' }, '/color'],
    ['a color that ends the rule', { color: '#fff;}*{x:y' }, '/color'],
    ['a short color', { color: '#fff' }, '/color'],
    ['a logo that is no base64', { logo: 'data:image/png;base64,AAAA' }, '/logo'],
    ['a logo that is no picture', { logo: Buffer.from('hello').toString('base64') }, '/logo'],
    ['SVG', { logo: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64') }, '/logo'],
    ['a large logo', { logo: randomBytes(65_537).toString('base64') }, '/logo'],
    ['a logo by URL', { logo: 'https://acme.example/logo.png' }, '/logo'],
    ['an unknown field', { logo_url: 'x' }, '/logo_url'],
  ])('%s is refused, and nothing changes', async (_, json, field) => {
    const { apiKey: as } = await newCustomer(app)
    await change(as, { name, color, logo })
    const answer = await change(as, json)
    expect([answer.status, answer.body.code, answer.body.errors?.[0]?.path]).toEqual([
      422,
      'validation_failed',
      field,
    ])
    expect(await read(as)).toEqual(examples.updateBranding.answer)
  })

  test('a key needs the scope send to change it, and the operator has no branding', async () => {
    const { apiKey: reader } = await newCustomer(app, ['read'])
    expect((await change(reader, { name })).status).toBe(403)
    expect(await read(reader)).toMatchObject({ name: null })
    expect((await change(operatorToken, { name })).status).toBe(403)
  })

  test('another account does not see it', async () => {
    const [one, other] = [await newCustomer(app), await newCustomer(app)]
    await change(one.apiKey, { name })
    expect(await read(other.apiKey)).toMatchObject({ name: null })
  })

  test('the audit log has what changed, without the bytes of the logo', async () => {
    const { apiKey: as, keyId } = await newCustomer(app)
    await change(as, { name, logo })
    const { body } = await call(app, 'GET', '/v1/audit-log?target=branding', { as })
    expect(body['data']).toMatchObject([
      {
        action: 'branding.updated',
        actor: { kind: 'api_key', api_key_id: keyId },
        before: { name: null, color: null, logo: null },
        after: { name, logo: { media_type: 'image/png', width: 2, height: 2 } },
      },
    ])
    expect(JSON.stringify(body)).not.toContain(logo)
  })
})
