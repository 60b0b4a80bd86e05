import type { Email, EmailAccepted, Stats } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '../faults/reconcile.ts'
import { allEvents, type Customer, expectStatus } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { until } from '../support/until.ts'
import { storeEvent } from '../verbs/stored-delivery.ts'
import { uuidOf, verbContext } from '../verbs/verb-context.ts'
import { killAt, killPointNamed } from './kill-points.ts'
import { type Services, startServices } from './services.ts'
import { startTwoShards, type TwoShards } from './two-shards.ts'

describe('accounts move', () => {
  let shards: TwoShards
  let services: Services
  let sink: SmtpSink
  const mailArrived = Promise.withResolvers<undefined>()
  const mailAnswered = Promise.withResolvers<undefined>()
  beforeAll(async () => {
    sink = await startSmtpSink({
      onMessage: async () => {
        mailArrived.resolve(undefined)
        await mailAnswered.promise
        return undefined
      },
    })
    shards = await startTwoShards()
    services = await startServices(shards, { POSTHORN_SMTP_URL: sink.url })
  })
  afterAll(async () => {
    await services[Symbol.asyncDispose]()
    await shards[Symbol.asyncDispose]()
    await sink[Symbol.asyncDispose]()
  })

  /** The shards of an account when the command has asked whether it must wait, or has ended without asking. */
  async function ownersWhile(
    moving: Promise<unknown>,
    statement: string,
    accountId: string,
  ): Promise<number[]> {
    const waits = until('the command waits', async () => {
      const [source] = shards.databases
      const asked = await source.query(
        'select from pg_stat_activity where strpos(query, $1) > 0 and pid <> pg_backend_pid()',
        [statement],
      )
      return asked.length > 0
    })
    await Promise.race([moving, waits])
    return await shards.ownersOf(accountId)
  }

  test('under traffic, no event is lost or sent twice, and sequences have no gap', async () => {
    await using receiver = await startReceiver()
    const customer = await services.newCustomer()
    await customer.newWebhook({ url: receiver.url() })
    const traffic = services.startTraffic(customer)
    await receiver.waitForEvents(100)

    const moved = await shards.run(['accounts', 'move', customer.accountId, '--to', '1', '--json'])
    expect(moved).toMatchObject({ code: 0, stderr: '' })
    const before = traffic.accepted.length
    await until('the other shard accepts', () => traffic.accepted.length > before + 100)
    await traffic.stop()

    const { events, duplicates } = await reconcile(customer, receiver, { accepted: traffic.accepted })
    expect(duplicates).toBe(0)
    expect(await shards.ownersOf(customer.accountId)).toEqual([1])
    await until('all are counted', async () => {
      const { total, outcomes } = expectStatus(200, await customer.api.get<Stats>('/v1/stats'))
      return total.delivered === events && outcomes?.total.delivered === events
    })
  })

  test('it waits for an attempt in flight, and its result moves along', async () => {
    const answered = Promise.withResolvers<undefined>()
    await using receiver = await startReceiver((_, response) => {
      void answered.promise.then(() => response.writeHead(204).end())
      return undefined
    })
    const customer = await services.newCustomer()
    const webhook = await customer.newWebhook({ url: receiver.url() })
    await customer.report(1)
    await until('the attempt is in flight', () => receiver.received.length === 1)

    const moving = shards.run(['accounts', 'move', customer.accountId, '--to', '1'])
    try {
      expect(await ownersWhile(moving, 'as "isHeld"', customer.accountId)).toEqual([])
    } finally {
      answered.resolve(undefined)
    }
    expect(await moving).toMatchObject({ code: 0 })
    expect(await customer.deliveries(webhook.id)).toMatchObject([{ state: 'delivered', attempt_count: 1 }])
    expect(receiver.received.length).toBe(1)
  })

  test('it waits for an email that the mail server has not confirmed, and nobody sends it again', async () => {
    const customer = await services.newCustomer()
    const email = { from: 'shop@acme.test', to: ['ann@one.example'], subject: 'Hello', text: 'Hello' }
    const { email_id: id } = expectStatus(202, await customer.api.post<EmailAccepted>('/v1/emails', email))
    await mailArrived.promise
    const moving = shards.run(['accounts', 'move', customer.accountId, '--to', '1'])
    try {
      const taken = 'from handover where account_id = $1 and taken_by is not null'
      expect(await ownersWhile(moving, taken, customer.accountId)).toEqual([0])
    } finally {
      mailAnswered.resolve(undefined)
    }
    expect(await moving).toMatchObject({ code: 0 })
    const { states } = expectStatus(200, await customer.api.get<Email>(`/v1/emails/${id}`))
    expect(states).toMatchObject({ handed_over: 1 })
    expect(sink.for('ann@one.example')).toHaveLength(1)
  })

  test('it waits for a transaction that is open, and what that stores moves along', async () => {
    const customer = await services.newCustomer()
    const move = ['accounts', 'move', customer.accountId, '--to', '1']
    const [source] = shards.databases
    // the copying itself waits for transactions, so this one begins after it
    await killAt(shards, move, killPointNamed('the step stopping'))
    const { moving } = await source.transaction(async tx => {
      const ctx = { ...verbContext(source), db: tx }
      await storeEvent(ctx, uuidOf('acct', customer.accountId), { emailId: 'em_late' })
      const ended = shards.run(move)
      const open = `where locktype = 'virtualxid' and virtualtransaction = any($1)`
      expect(await ownersWhile(ended, open, customer.accountId)).toEqual([0])
      return { moving: ended }
    })
    expect(await moving).toMatchObject({ code: 0 })
    expect((await allEvents(customer.api)).map(({ data }) => data.email_id)).toEqual(['em_late'])
  })

  test('while no shard has it, nothing is sent for it', async () => {
    await using receiver = await startReceiver()
    const arrived = ({ accountId }: Customer): number =>
      receiver.received.filter(({ path }) => path === `/${accountId}`).length
    const [customer, neighbour] = [await services.newCustomer(), await services.newCustomer()]
    for (const one of [customer, neighbour]) {
      await one.newWebhook({ url: receiver.url(`/${one.accountId}`), rate_limit_per_second: 5 })
      await one.report(200)
      await until('the first ones arrive', () => arrived(one) > 0)
    }
    const move = ['accounts', 'move', customer.accountId, '--to', '1']
    await killAt(shards, move, killPointNamed('the commit on the other shard'))
    expect(await shards.ownersOf(customer.accountId)).toEqual([])
    const before = [arrived(customer), arrived(neighbour)] as const
    expect(before[0]).toBeLessThan(200)
    await until('its neighbour gets more', () => arrived(neighbour) > before[1] + 10)
    expect(arrived(customer)).toBe(before[0])

    expect(await shards.run(move)).toMatchObject({ code: 0 })
    await until('the rest is sent there', () => arrived(customer) > before[0] + 10)
  })

  test('killed before the other shard commits, it is finished by a repeat; what waits is sent there', async () => {
    await using receiver = await startReceiver(() => 500)
    const customer = await services.newCustomer()
    const webhook = await customer.newWebhook({ url: receiver.url() })
    await customer.report(3)
    await receiver.waitForEvents(3)
    const move = ['accounts', 'move', customer.accountId, '--to', '1']
    const doctor = async (): Promise<string> =>
      (
        await shards.run(['doctor'], {
          DATABASE_URL: shards.urls[0],
          POSTHORN_ADMIN_TOKEN: shards.installations[0].adminToken,
        })
      ).stdout

    await killAt(shards, move, killPointNamed('the commit on the other shard'))
    expect(await shards.ownersOf(customer.accountId)).toEqual([])
    expect(await doctor()).toMatch(
      new RegExp(`broken +Move +${customer.accountId} has been moving to shard 1 since .+${move.join(' ')}`),
    )
    receiver.respondWith(() => 204)
    expect(await shards.run(move)).toMatchObject({ code: 0 })
    expect(await shards.ownersOf(customer.accountId)).toEqual([1])
    expect(await doctor()).not.toMatch(/Move/)
    for (const { id } of await customer.deliveries(webhook.id, '&state=failed'))
      expect((await customer.api.post(`/v1/deliveries/${id}/retry`)).status).toBe(202)
    await until('all are delivered', async () => {
      return (await customer.deliveries(webhook.id, '&state=delivered')).length === 3
    })
    expect(await customer.report(1)).toHaveLength(1)
    await until('the next one has the next number', () => receiver.received.some(one => one.sequence === 4))
  })
})
