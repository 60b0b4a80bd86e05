import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { sendEmail } from '../suppressions/sent-email.ts'
import { openTestDatabase, verbBackends } from '../support/test-database.ts'
import { movingClock } from './moving-clock.ts'
import { newCustomer, openTestApp } from './test-app.ts'

describe.each(verbBackends())('wrong secrets on $name', backend => {
  let db: Database
  beforeAll(async () => {
    db = await openTestDatabase(backend)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  /** Sends requests through a TLS proxy, which adds the client's address. */
  async function open() {
    const { ctx, pass } = movingClock(db)
    const outside = { ...ctx.outside, publicUrl: () => 'https://posthorn.example.com' }
    const opened = await openTestApp(db, { ctx: { ...ctx, outside } })
    const ask = async (method: 'GET' | 'POST', url: string, from = '203.0.113.9') => {
      const headers = { 'x-forwarded-for': `192.0.2.1, ${from}` }
      const { statusCode, headers: answered } = await opened.app.inject({ method, url, headers })
      return [statusCode, answered['retry-after']]
    }
    return { opened, pass, ask }
  }

  test('in the URLs of sources are refused after 120 from one address, without asking the database', async () => {
    const { opened, pass, ask } = await open()
    await using _ = opened
    const url = (number: number) => `/v1/sources/mailgun?token=pht_${String(number).padStart(43, '0')}`
    for (let count = 0; count < 120; count++) expect((await ask('POST', url(count)))[0]).toBe(401)
    expect(await ask('POST', url(120))).toEqual([429, '1'])
    expect((await ask('POST', url(120), '198.51.100.1'))[0]).toBe(401)
    pass(1_000)
    expect((await ask('POST', url(121)))[0]).toBe(401)
  })

  test('in unsubscribe links are refused after 600 from one address; genuine links do not count', async () => {
    const { opened, ask } = await open()
    await using _ = opened
    const { accountUuid } = await newCustomer(opened)
    const { link } = await sendEmail(opened.ctx, accountUuid)
    for (let count = 0; count < 700; count++) expect((await ask('GET', link))[0]).toBe(200)
    for (let count = 0; count < 600; count++) expect((await ask('GET', `/u/${count}`))[0]).toBe(404)
    expect((await ask('GET', link))[0]).toBe(429)
    expect((await ask('GET', link, '198.51.100.1'))[0]).toBe(200)
  })
})
