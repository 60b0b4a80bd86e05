import type { Erasure } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { getDelivery } from '../../src/deliveries/get-delivery.ts'
import { retryDelivery } from '../../src/deliveries/retry-delivery.ts'
import { type DecidedOutcome, fillOutcome } from '../../src/domain/decided-outcome.ts'
import { advanceErasures } from '../../src/erasures/advance-erasures.ts'
import { createErasure } from '../../src/erasures/create-erasure.ts'
import { getErasure } from '../../src/erasures/get-erasure.ts'
import { getEvent } from '../../src/events/get-event.ts'
import { listEvents } from '../../src/events/list-events.ts'
import { searchKey } from '../../src/events/search-key.ts'
import { newId } from '../../src/new-id.ts'
import { createReplay } from '../../src/replays/create-replay.ts'
import { getStats } from '../../src/stats/get-stats.ts'
import { OutcomeCounts } from '../../src/stats/outcome-counts.ts'
import { writeOutcomeCounts } from '../../src/stats/write-outcome-counts.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { newIntake } from '../outcomes/new-intake.ts'
import { allBackends, openTestDatabase } from '../support/test-database.ts'
import { claimDelivery, queueRow, storeDelivery, storeEvent } from '../verbs/stored-delivery.ts'
import { newAccount, refusal, uuidOf, verbContext, type VerbContext } from '../verbs/verb-context.ts'

const ann = 'ann@example.org'

describe.each(allBackends())('erasures on $name', backend => {
  let db: Database
  let ctx: VerbContext
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  async function newEndpoint() {
    const accountId = await newAccount(ctx)
    const webhook = await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })
    return { accountId, webhookId: uuidOf('wh', webhook.id) }
  }

  async function erase(accountId: string, recipient: string): Promise<Erasure> {
    const made = await createErasure(ctx, accountId, recipient)
    expect(made).toMatchObject({ state: 'running', events: 0, finished_at: null })
    await advanceErasures(ctx)
    return await getErasure(ctx, accountId, uuidOf('era', made.id))
  }

  async function storeAttempt(accountId: string, deliveryId: string, number: number): Promise<void> {
    await db.query(
      `insert into attempt (account_id, delivery_id, id, number, trigger, duration_ms, status_code, request,
                            response_headers, response_body)
       values ($1, $2, $3, $4, 'schedule', 5, 200, 't=1', $5, $6)`,
      [accountId, deliveryId, newId(ctx), number, `x-user: ${ann}\n`, `thanks, ${ann}`],
    )
  }

  /** The whole database as one text. */
  async function everything(): Promise<string> {
    const rows = await db.query<{ text: string }>(
      `select convert_from(body, 'utf8') || search_keys::text as text from event
       union all select d::text from delivery d union all select a::text from attempt a
       union all select q::text from queue q union all select r::text from erasure r
       union all select coalesce(response, '') from idempotency_key
       union all select o::text from outcome_stat o
       union all select s::text from suppression s union all select l::text from audit_entry l`,
    )
    return rows.map(row => row.text).join('\n')
  }

  test.each([
    ['Ann@Example.org', 'ann@example.org'],
    ['ann@example.org', '"Ann"@example.org.'],
    ['jose\u0301@example.org', 'jos\u00e9@example.org'],
  ])('%s is erased by a request for %s: it is the same mailbox', async (stored, asked) => {
    const { accountId } = await newEndpoint()
    const event = await storeEvent(ctx, accountId, { to: stored })
    expect((await listEvents(ctx, accountId, { limit: 2, recipient: asked })).data).toHaveLength(1)
    await db.query(
      `insert into idempotency_key (account_id, key, request_digest, status, response) values ($1, 'k', '\\x00', 201, $2)`,
      [accountId, JSON.stringify({ address: asked.replace('example', 'EXAMPLE') })],
    )

    expect(await erase(accountId, asked)).toMatchObject({ state: 'done', events: 1 })
    expect((await getEvent(ctx, accountId, event.id)).data.to).toEqual(['erased@erased.invalid'])
    const answers = await db.query('select response from idempotency_key where account_id = $1', [accountId])
    expect(answers).toEqual([{ response: '{"address":"erased@erased.invalid"}' }])
  })

  test('after an erasure nothing stored contains the address, and the receipt counts the changes', async () => {
    const { accountId, webhookId } = await newEndpoint()
    const toAnn = await storeEvent(ctx, accountId, { to: ann, emailId: 'em_a' })
    const toBob = await storeEvent(ctx, accountId, { to: 'bob@example.org', emailId: 'em_b' })
    const delivered = await storeDelivery(ctx, accountId, webhookId, toAnn, {
      state: 'delivered',
      attempts: 1,
    })
    const failed = await storeDelivery(ctx, accountId, webhookId, toAnn, { state: 'failed', attempts: 2 })
    const exhausted = await storeDelivery(ctx, accountId, webhookId, toAnn, {
      state: 'exhausted',
      reason: 'retries_used',
      attempts: 1,
    })
    const bobs = await storeDelivery(ctx, accountId, webhookId, toBob, { state: 'failed', attempts: 1 })
    for (const id of [delivered, failed, exhausted]) await storeAttempt(accountId, id, 1)
    await db.query(
      `insert into idempotency_key (account_id, key, request_digest, status, response) values ($1, 'k', '', 202, $2)`,
      [accountId, JSON.stringify({ event: { to: [ann] } })],
    )
    expect(await everything()).toContain(ann)

    const receipt = await erase(accountId, 'ann@EXAMPLE.org')
    expect(receipt).toMatchObject({ state: 'done', events: 1, deliveries: 3, attempts: 3 })
    expect(receipt.finished_at).not.toBeNull()
    const stored = await everything()
    expect(stored).not.toContain(ann)
    expect(stored).not.toContain(String(searchKey(accountId, 'recipient', ann)))
    expect(stored).toContain('bob@example.org')

    expect(await getEvent(ctx, accountId, toAnn.id)).toMatchObject({
      data: { email_id: 'em_a', to: ['erased@erased.invalid'] },
      erased_at: expect.any(String),
    })
    const stateOf = async (id: string) => {
      const { state, reason } = await getDelivery(ctx, accountId, id)
      return [state, reason]
    }
    expect(await stateOf(delivered)).toEqual(['delivered', null])
    expect(await stateOf(failed)).toEqual(['exhausted', 'erased'])
    expect(await stateOf(exhausted)).toEqual(['exhausted', 'erased'])
    expect(await queueRow(ctx, failed)).toBeUndefined()
    expect(await stateOf(bobs)).toEqual(['failed', null])
    expect(await queueRow(ctx, bobs)).toBeDefined()
    // the email id still finds it, but the recipient does not
    expect((await listEvents(ctx, accountId, { limit: 9, email_id: 'em_a' })).data).toHaveLength(1)
    expect((await listEvents(ctx, accountId, { limit: 9, recipient: ann })).data).toEqual([])
  })

  test('other recipients of the same event are erased too: altered bytes must not go out under an old id', async () => {
    const { accountId } = await newEndpoint()
    const event = await storeEvent(ctx, accountId, { to: ann })
    const both = { email_id: 'em_1', to: [ann, 'bob@example.org'] }
    await db.query('update event set body = $2, search_keys = search_keys || $3::bigint where id = $1', [
      event.id,
      Buffer.from(JSON.stringify({ data: both })),
      searchKey(accountId, 'recipient', 'bob@example.org'),
    ])
    await erase(accountId, ann)
    expect((await getEvent(ctx, accountId, event.id)).data.to).toEqual(['erased@erased.invalid'])
    expect((await listEvents(ctx, accountId, { limit: 9, recipient: 'bob@example.org' })).data).toEqual([])
  })

  test.each([
    ['email.bounced', 'bounce'],
    ['email.failed', 'failure'],
  ] as const)('%s is erased too if its final recipient is the person', async (type, part) => {
    const { accountId } = await newEndpoint()
    const reported = {
      email_id: 'em_1',
      to: ['info@example.org'],
      [part]: { final_recipient: 'ann@EXAMPLE.org' },
    }
    const data = fillOutcome(type, reported, '2026-11-21T04:00:01.120Z')
    const bounce: DecidedOutcome = { accountId, type, data, outcomeId: null }
    const { events } = await newIntake(db).group([bounce])
    const id = uuidOf('evt', events[0] ?? '')
    expect(await everything()).toContain(ann)
    // an event about another recipient is not listed under the erased one
    expect((await listEvents(ctx, accountId, { limit: 9, recipient: ann })).data).toEqual([])

    expect(await erase(accountId, ann)).toMatchObject({ state: 'done', events: 1 })
    expect(await everything()).not.toContain(ann)
    expect((await getEvent(ctx, accountId, id)).data).toEqual({
      email_id: 'em_1',
      to: ['erased@erased.invalid'],
    })
  })

  test('an erasure takes the domains of its events out of the statistics, whose sums stay', async () => {
    const { accountId } = await newEndpoint()
    const counts = new OutcomeCounts()
    const intake = newIntake(db, { afterCommit: events => events.forEach(event => counts.add(event)) })
    const outcomesTo = (to: string[]): DecidedOutcome[] =>
      (['email.delivered', 'email.bounced'] as const).map(type => {
        const data = fillOutcome(type, { email_id: 'em_1', to }, '2026-11-21T04:00:01.120Z')
        return { accountId, type, data, outcomeId: null }
      })
    const domains = async () => (await getStats(ctx, accountId, { since: anHourAgo() })).outcomes?.domains
    const anHourAgo = (): string => new Date(Date.now() - 3_600_000).toISOString()
    for (const to of ['ann@ann.example', 'ann@family.example', 'bob@family.example'])
      await intake.group(outcomesTo([to]))
    // of two processes
    await writeOutcomeCounts(db, 1, counts.take())
    await intake.group(outcomesTo(['ann@family.example']))
    await writeOutcomeCounts(db, 2, counts.take())
    const none = { delivered: 0, bounced: 0, failed: 0, unsubscribed: 0, complaints: 0 }
    const each = (n: number) => ({ ...none, delivered: n, bounced: n })
    expect(await domains()).toEqual([
      { domain: 'family.example', ...each(3) },
      { domain: 'ann.example', ...each(1) },
    ])

    expect(await erase(accountId, 'ann@ann.example')).toMatchObject({ state: 'done', events: 2 })
    expect(await domains()).toEqual([
      { domain: 'family.example', ...each(3) },
      { domain: null, ...each(1) },
    ])
    expect(await everything()).not.toContain('ann.example')
    expect(await erase(accountId, 'ann@family.example')).toMatchObject({ state: 'done', events: 4 })
    expect(await domains()).toEqual([
      { domain: 'family.example', ...each(1) },
      { domain: null, ...each(3) },
    ])
  })

  test('an erased delivery is never sent again by retry or replay', async () => {
    const { accountId, webhookId } = await newEndpoint()
    const event = await storeEvent(ctx, accountId, { to: ann })
    const delivered = await storeDelivery(ctx, accountId, webhookId, event, {
      state: 'delivered',
      attempts: 1,
    })
    const pending = await storeDelivery(ctx, accountId, webhookId, event)
    await erase(accountId, ann)
    for (const id of [delivered, pending]) {
      expect(await refusal(retryDelivery(ctx, accountId, id))).toBe('delivery_erased')
    }
    const states = ['failed', 'exhausted', 'delivered', 'missing'] as const
    const dry = { since: '2020-01-01T00:00:00Z', states: [...states], dry_run: true }
    expect(await createReplay(ctx, accountId, webhookId, dry)).toMatchObject({ count: 0 })
  })

  test('an attempt in flight is fenced off, and the erasure is done only after it must have ended', async () => {
    const { accountId, webhookId } = await newEndpoint()
    const event = await storeEvent(ctx, accountId, { to: ann })
    const id = await storeDelivery(ctx, accountId, webhookId, event)
    await claimDelivery(ctx, id)
    await storeAttempt(accountId, id, 1)
    const running = await erase(accountId, ann)
    expect(running).toMatchObject({ state: 'running', events: 1, deliveries: 1, attempts: 1 })
    expect(await queueRow(ctx, id)).toBeUndefined()
    const [row] = await db.query('select claim, state, reason from delivery where id = $1', [id])
    expect(row).toEqual({ claim: 2, state: 'exhausted', reason: 'erased' })
    const [wait] = await db.query<{ ms: number }>(
      `select extract(epoch from under_way_until - now())::float8 * 1000 as ms from erasure
       where account_id = $1 and state = 'running'`,
      [accountId],
    )
    const longestMs = ctx.outside.probe.timeoutMs + 2_000
    expect(wait?.ms).toBeGreaterThan(longestMs - 5_000)
    expect(wait?.ms).toBeLessThanOrEqual(longestMs)
    await advanceErasures(ctx)
    const erasureId = uuidOf('era', running.id)
    expect((await getErasure(ctx, accountId, erasureId)).state).toBe('running')

    await db.query(`update erasure set under_way_until = now() where id = $1`, [erasureId])
    await advanceErasures(ctx)
    expect(await getErasure(ctx, accountId, erasureId)).toMatchObject({ state: 'done', attempts: 1 })
    expect(await everything()).not.toContain(ann)
  })

  test('another account keeps its mail to the same person, and does not see the receipt', async () => {
    const { accountId } = await newEndpoint()
    const other = await newAccount(ctx)
    const event = await storeEvent(ctx, other, { to: 'cy@example.org' })
    const receipt = await erase(accountId, 'cy@example.org')
    expect(receipt).toMatchObject({ state: 'done', events: 0, deliveries: 0, attempts: 0 })
    expect((await getEvent(ctx, other, event.id)).data.to).toEqual(['cy@example.org'])
    const id = uuidOf('era', receipt.id)
    expect(await refusal(getErasure(ctx, other, id))).toBe('not_found')
    expect(await getErasure(ctx, null, id)).toEqual(receipt)
  })

  test('more than a batch of events is erased when several runs start at once, each event counted once', async () => {
    const accountId = await newAccount(ctx)
    for (let n = 0; n < 210; n++) await storeEvent(ctx, accountId, { to: 'dan@example.org' })
    const made = await createErasure(ctx, accountId, 'dan@example.org')
    await Promise.all([advanceErasures(ctx), advanceErasures(ctx), advanceErasures(ctx)])
    await advanceErasures(ctx)
    const receipt = await getErasure(ctx, accountId, uuidOf('era', made.id))
    expect(receipt).toMatchObject({ state: 'done', events: 210 })
  })
})
