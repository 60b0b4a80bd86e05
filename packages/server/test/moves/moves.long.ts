import { expect, test } from 'vitest'
import type { Queryable } from '../../src/db/database.ts'
import { startReceiver } from '../support/receiver.ts'
import { fault } from '../faults/fault.ts'
import { reconcile } from '../faults/reconcile.ts'
import { createAccount } from '../../src/accounts/create-account.ts'
import { movedColumns } from '../../src/moves/publication.ts'
import { uuidOf, verbContext } from '../verbs/verb-context.ts'
import { startServices } from './services.ts'
import { startTwoShards } from './two-shards.ts'

fault(
  'G13',
  'an account moves three times under traffic; each event is sent once, and sequences have no gap',
  async seen => {
    await using shards = await startTwoShards()
    await using services = await startServices(shards)
    await using receiver = await startReceiver()
    const customer = await services.newCustomer()
    await customer.newWebhook({ url: receiver.url() })
    const neighbour = await services.newCustomer()
    await neighbour.newWebhook({ url: receiver.url('/neighbour') })
    const traffic = services.startTraffic(customer)
    const besides = services.startTraffic(neighbour)
    await receiver.waitForEvents(2_000)

    const stoodStill: number[] = []
    for (const to of ['1', '0', '1']) {
      const before = receiver.counts().size
      const { code, stdout, stderr } = await shards.run([
        'accounts',
        'move',
        customer.accountId,
        '--to',
        to,
        '--json',
      ])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      stoodStill.push((JSON.parse(stdout) as { stood_still_ms: number }).stood_still_ms)
      await receiver.waitForEvents(before + 2_000)
    }
    await traffic.stop()
    await besides.stop()

    const { events, duplicates } = await reconcile(customer, onlyPath('/hook'), {
      accepted: traffic.accepted,
    })
    expect(duplicates).toBe(0)
    const other = await reconcile(neighbour, onlyPath('/neighbour'), {
      accepted: besides.accepted,
      paths: ['/neighbour'],
    })
    expect(other.duplicates).toBe(0)
    expect([...besides.answers.keys()]).toEqual([202])
    seen(`3 moves, ${events} events, 0 duplicates; it stood still for ${stoodStill.join(', ')} ms`)
    seen(`its neighbour on the same shard: ${other.events} events, no refusal`)

    function onlyPath(path: string): typeof receiver {
      return { ...receiver, received: receiver.received.filter(received => received.path === path) }
    }
  },
)

test('an account with 200,000 events moves with little memory, and every row arrives', {
  timeout: 300_000,
}, async () => {
  await using shards = await startTwoShards()
  const [source, target] = shards.databases
  const { id } = await createAccount(verbContext(source), { name: 'Acme', max_endpoints: 10 })
  const accountId = uuidOf('acct', id)
  for (let from = 0; from < 200_000; from += 20_000) await source.query(manyRows, [accountId, from])
  const before = await digests(source, accountId)

  // all events have 100 MB
  const env = { NODE_OPTIONS: '--max-old-space-size=48' }
  const moved = await shards.run(['accounts', 'move', id, '--to', '1', '--json'], env)
  expect(moved).toMatchObject({ code: 0, stderr: '' })
  expect(await digests(target, accountId)).toEqual(before)
  expect(await shards.replication()).toEqual([])
})

/** 20,000 rows in each of the large tables. */
const manyRows = `
with ids as materialized (
  select n, (substr(hex, 1, 8) || '-' || substr(hex, 9) || '-7' || substr(gen_random_uuid()::text, 16))::uuid as id
  from (
    select n, lpad(to_hex((extract(epoch from now()) * 1000)::bigint - n), 12, '0') as hex
    from generate_series($2::int + 1, $2::int + 20000) n
  ) numbered
),
events as (
  insert into event (account_id, id, type, search_keys, body)
  select $1, id, 'email.delivered', array[n], convert_to(repeat('x', 500), 'UTF8') from ids
),
deliveries as (
  insert into delivery (account_id, id, endpoint_id, event_id, type, state, sequence)
  select $1, id, $1, id, 'email.delivered', 'failed', n from ids
),
attempts as (
  insert into attempt (account_id, delivery_id, id, number, trigger, duration_ms, process)
  select $1, id, id, 1, 'schedule', 1, 7 from ids
),
queued as (
  insert into queue (account_id, delivery_id, endpoint_id, event_id, due_at, sequence)
  select $1, id, $1, id, now() + interval '1 day', n from ids
),
sessions as (
  insert into session (account_id, id, kind, token_hash, bearer, created_at, last_seen_at, expires_at)
  select $1, id, 'portal', sha256(id::text::bytea), true, now(), now(), now() + interval '1 day' from ids
)
insert into attempt_stat (account_id, at, endpoint_id, width_seconds, result, count, latency_buckets, latency_counts, last_at)
select $1, now() - n * interval '1 minute', $1, 60, 'delivered', n, '{1}', '{1}', now() from ids`

/** How many rows each table has, and a sum that changes with every one of them. */
async function digests(db: Queryable, accountId: string): Promise<Record<string, object[]>> {
  const found: Record<string, object[]> = {}
  for (const table of ['event', 'delivery', 'attempt', 'queue', 'session', 'attempt_stat']) {
    const local = table === 'attempt_stat' ? ['id', 'process'] : ['process']
    const columns = await movedColumns(db, { table, local })
    found[table] = await db.query(
      `select count(*) as rows, sum(hashtextextended((${columns.join(', ')})::text, 0))::text as digest
       from ${table} where account_id = $1`,
      [accountId],
    )
  }
  return found
}
