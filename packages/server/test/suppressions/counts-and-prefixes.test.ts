import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { findAddresses } from '../../src/emails/find-addresses.ts'
import { advanceErasures } from '../../src/erasures/advance-erasures.ts'
import { countSuppressions } from '../../src/suppressions/count-suppressions.ts'
import { call, newCustomer, openTestApp, type TestApp } from '../http/test-app.ts'
import { explain, nodesOf } from '../operations/explain.ts'
import { newIntake } from '../outcomes/new-intake.ts'
import { openTestDatabase, verbBackends } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import type { VerbContext } from '../verbs/verb-context.ts'

describe.each(verbBackends())('counts and prefixes of addresses on $name', backend => {
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

  async function newAccount() {
    const { apiKey: as, accountUuid, accountId } = await newCustomer(app)
    return {
      as,
      accountId,
      accountUuid,
      import: async (payload: string) => {
        const headers = { 'content-type': 'text/csv' }
        const answer = await call(app, 'POST', '/v1/suppressions/import', { as, payload, headers })
        expect(answer.body).toMatchObject({ rejected: 0 })
      },
      send: async (...to: string[]) => {
        const json = { from: 'a@shop.example', to, subject: 'Hi', text: 'x' }
        expect((await call(app, 'POST', '/v1/emails', { as, json })).status).toBe(202)
      },
      counts: async () => (await call(app, 'GET', '/v1/suppressions/counts', { as })).body['by_reason'],
      find: async (prefix: string) =>
        (await call(app, 'GET', `/v1/addresses?prefix=${encodeURIComponent(prefix)}`, { as })).body,
      /** Many suppressions, straight into the table. */
      fill: async (reason: string, count: number, lapsesAt: string | null = null) => {
        await db.query(
          `insert into suppression (account_id, id, address_mac, address, folded_address, reason, scope, lapses_at)
           select $1, gen_random_uuid(), decode(md5($2 || n), 'hex'), $2 || n || '@example.org', $2 || n || '@example.org', $2, 'all_mail', $4
           from generate_series(1, $3::int) n`,
          [accountUuid, reason, count, lapsesAt],
        )
      },
    }
  }

  test('active suppressions are counted by reason, without those lifted or lapsed', async () => {
    const account = await newAccount()
    expect(await account.counts()).toEqual({
      bounce: 0,
      domain_bounce: 0,
      complaint: 0,
      unsubscribe: 0,
      manual: 0,
    })
    await account.import('address,reason\na@x.y,bounce\nb@x.y,bounce\nc@x.y,domain_bounce\nd@x.y,complaint\n')
    await account.fill('domain_bounce', 3, '2026-01-01T00:00:00Z')
    const { as } = account
    const made = await call(app, 'POST', '/v1/suppressions', { as, json: { address: 'e@x.y' } })
    expect(await account.counts()).toMatchObject({ manual: 1 })
    await call(app, 'DELETE', `/v1/suppressions/${String(made.body['id'])}`, { as })
    expect(await account.counts()).toEqual({
      bounce: 2,
      domain_bounce: 1,
      complaint: 1,
      unsubscribe: 0,
      manual: 0,
    })
  })

  test('a count ends at 1,000', async () => {
    const account = await newAccount()
    await account.fill('bounce', 1_500)
    await account.fill('complaint', 999)
    expect(await account.counts()).toMatchObject({ bounce: 1_000, complaint: 999 })
  })

  test('the first characters find suppressed addresses and recipients of sent emails, in any case', async () => {
    const account = await newAccount()
    await account.send('Ann@example.org', 'anna@example.org', 'bo@example.org')
    await account.send('ann@example.org')
    await account.import(
      'address,reason\nANN@example.org,bounce\nAnn@Other.example,manual\n100%@x.y,manual\n',
    )
    const other = await newAccount()
    await other.send('ann@secret.example')

    expect(await account.find('ANN@')).toEqual({
      data: [
        { address: 'ann@example.org', found_in: ['emails', 'suppressions'] },
        { address: 'ann@other.example', found_in: ['suppressions'] },
      ],
      has_more: false,
    })
    expect((await account.find('ann@exam')).data).toHaveLength(1)
    expect((await account.find('ann')).data).toHaveLength(3)
    expect((await account.find('100%')).data).toMatchObject([{ address: '100%@x.y' }])
    expect((await account.find('nn@')).data).toEqual([])
  })

  test('any spelling of an address is found by the beginning of its usual one', async () => {
    const account = await newAccount()
    const { as } = account
    await call(app, 'POST', '/v1/suppressions', { as, json: { address: 'ÜSER@example.org' } })
    await account.import('address\nÉmile@example.org\n"""Quoted""@example.org"\n')
    const bounced = { type: 'email.bounced', data: { email_id: 'b1', to: ['Ödön@example.org'] } }
    expect((await call(app, 'POST', '/v1/outcomes', { as, json: bounced })).status).toBe(202)
    await account.send('Über@example.org')
    for (const [prefix, address, place] of [
      ['üse', 'üser@example.org', 'suppressions'],
      ['U\u0308SE', 'üser@example.org', 'suppressions'],
      ['émi', 'émile@example.org', 'suppressions'],
      ['quo', 'quoted@example.org', 'suppressions'],
      ['ödö', 'ödön@example.org', 'suppressions'],
      ['übe', 'über@example.org', 'emails'],
    ]) {
      expect((await account.find(prefix ?? '')).data).toEqual([{ address, found_in: [place] }])
    }
  })

  test('more than ten addresses are not listed, and the answer says so', async () => {
    const account = await newAccount()
    await account.fill('bounce', 30)
    await account.send(...Array.from({ length: 12 }, (_, n) => `bounce-${n}@example.org`))
    const found = await account.find('bounce')
    expect(found).toMatchObject({ has_more: true })
    expect((found['data'] as { address: string }[]).map(({ address }) => address)).toEqual(
      ['0', '10', '11', '1', '2', '3', '4', '5', '6', '7'].map(n => `bounce-${n}@example.org`),
    )
  })

  test('an erased address is not found', async () => {
    const account = await newAccount()
    await account.send('ann@example.org')
    await account.import('address\nann@example.org\n')
    expect((await account.find('ann')).data).toHaveLength(1)
    const { as } = account
    const json = { recipient: 'ann@example.org' }
    const erasure = await call(app, 'POST', '/v1/erasures', { as, json })
    await until('the erasure is finished', async () => {
      await advanceErasures(app.ctx)
      const { body } = await call(app, 'GET', `/v1/erasures/${String(erasure.body['id'])}`, { as })
      return body['state'] === 'done' ? true : undefined
    })
    expect(await account.find('ann')).toEqual({ data: [], has_more: false })
    expect(await account.find('erased@')).toEqual({ data: [], has_more: false })
  })

  test.each(['an', 'ann b', '<ann'])('%s is no prefix', async prefix => {
    const { find } = await newAccount()
    expect(await find(prefix)).toMatchObject({ code: 'validation_failed' })
  })

  test('both read few rows of a large account', async () => {
    const account = await newAccount()
    await account.fill('bounce', 40_000)
    await account.fill('unsubscribe', 3)
    await db.query(
      `insert into email_recipient (account_id, email_id, number, field, address, folded_address)
       select $1, r.email_id, n, 'to', 'bounce@example.org', 'bounce@example.org'
       from (select email_id from email_recipient order by email_id desc limit 1) r, generate_series(200, 20000) n`,
      [account.accountUuid],
    )
    await db.query('analyze')
    const read = async (run: (spied: VerbContext) => Promise<unknown>): Promise<number> => {
      const [explained] = await explain(app.ctx, run)
      return Math.max(
        ...nodesOf(explained?.plan ?? { 'Node Type': 'none' }).map(
          node =>
            (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 1) + (node['Rows Removed by Filter'] ?? 0),
        ),
      )
    }
    expect(await read(async spied => await countSuppressions(spied, account.accountUuid))).toBeLessThan(1_100)
    expect(await read(async spied => await findAddresses(spied, account.accountUuid, 'bounce'))).toBeLessThan(
      100,
    )
  })
})
