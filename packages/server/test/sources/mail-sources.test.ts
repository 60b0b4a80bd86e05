import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { ownMail } from '../../src/smtp-port/own-mail.ts'
import { openReportNotes } from '../../src/sources/mail-sources.ts'
import { call, newCustomer, openTestApp, operatorToken, type TestApp } from '../http/test-app.ts'
import { newIntake } from '../outcomes/new-intake.ts'
import { openTestDatabase, verbBackends } from '../support/test-database.ts'
import { plainMail } from './mails.ts'
import { sentEmail } from './sent-email.ts'

describe.each(verbBackends())('mail sources on $name', backend => {
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

  const sources = async () => {
    const { body } = await call(app, 'GET', '/v1/system', { as: operatorToken })
    return body['mail_sources'] as Array<{ kind: string; last_at: string }>
  }
  const record = (source?: string): object => ({
    line_id: `line of ${source}`,
    ...(source !== undefined && { source }),
    recipient: 'ann@example.org',
    disposition: 'accepted',
    reply: '250 Ok',
    occurred_at: '2026-11-21T04:00:01.000Z',
  })

  test('the operator sees each one with the time of its last report, and none before its first', async () => {
    expect(await sources()).toEqual([])
    const { apiKey, accountUuid } = await newCustomer(app)
    const email = await sentEmail(app.ctx, accountUuid)
    const records = [record(), record('exim'), record('lines')]
    const report = async (path: string, body: object) =>
      await call(app, 'POST', path, { as: operatorToken, ...body })
    const mail = { payload: plainMail('office@acme.test'), headers: { 'content-type': 'message/rfc822' } }
    const answers = [
      await report('/v1/sources/postfix', { json: { records } }),
      await report('/v1/sources/kumomta', { json: { type: 'Reception' } }),
      await report('/v1/sources/message', mail),
      await report('/v1/sources/message?source=imap', mail),
    ]
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202])
    const door = ownMail({
      ...app.ctx,
      outcomes: newIntake(db),
      complaints: true,
      mailIgnored: () => {},
      noteReport: openReportNotes(db, app.ctx.clock),
    })
    await door.take(Buffer.from(plainMail('x')), { recipients: email.returnPaths, hasNullSender: true })
    const found = await sources()
    expect(found.map(({ kind }) => kind).toSorted()).toEqual([
      'exim',
      'imap',
      'kumomta',
      'lines',
      'message',
      'postfix',
      'smtp',
    ])
    for (const { last_at } of found) expect(Math.abs(Date.now() - Date.parse(last_at))).toBeLessThan(60_000)
    // no source has reported a delivery, so none is to be expected
    const { body } = await call(app, 'GET', `/v1/emails/${email.id}`, { as: apiKey })
    expect(body['recipients']).toMatchObject([{ state: 'handed_over', outcome_expected: false }])
  })

  test('the time is written again only after a minute', async () => {
    let nowMs = 0
    const note = openReportNotes(db, { monotonicMs: () => nowMs })
    const isNew = async (): Promise<boolean> => {
      await db.query(`update mail_source set last_at = now() - interval '1 day' where kind = 'smtp'`)
      await note('smtp')
      const found = (await sources()).find(({ kind }) => kind === 'smtp')
      return Date.parse(found?.last_at ?? '') > Date.now() - 60_000
    }
    expect(await isNew()).toBe(true)
    nowMs = 59_999
    expect(await isNew()).toBe(false)
    nowMs = 60_000
    expect(await isNew()).toBe(true)
  })
})
