import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccount } from '../../src/accounts/create-account.ts'
import type { Queryable } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { migrate, migrationLock } from '../../src/db/migrate.ts'
import { ensurePartitions } from '../../src/maintenance/ensure-partitions.ts'
import { purgeMovedAccounts } from '../../src/maintenance/purge-moved-accounts.ts'
import { handOver } from '../../src/moves/hand-over.ts'
import { moveAccount, type MoveOptions } from '../../src/moves/move-account.ts'
import { type Move, moveName } from '../../src/moves/moved-account.ts'
import { stopAccount } from '../../src/moves/stop-account.ts'
import { moveLock, waitForTransactions } from '../../src/moves/wait-for-transactions.ts'
import { findPostgres } from '../support/postgres-server.ts'
import { until } from '../support/until.ts'
import { storeEvent } from '../verbs/stored-delivery.ts'
import { uuidOf, type VerbContext, verbContext } from '../verbs/verb-context.ts'
import { killAt, killPointNamed } from './kill-points.ts'
import { startTwoShards, type TwoShards } from './two-shards.ts'

const dayMs = 86_400_000

describe.each(findPostgres())('a move on PostgreSQL $version', installation => {
  let shards: TwoShards
  let ctx: VerbContext
  beforeAll(async () => {
    shards = await startTwoShards(installation)
    ctx = verbContext(shards.databases[0])
  })
  afterAll(async () => await shards[Symbol.asyncDispose]())

  test('around midnight UTC waits while the account is in use, and takes everything along', async () => {
    const [source, target] = shards.databases
    const account = await newAccount()
    await storeEvent(ctx, account.uuid, {})
    let nowMs = Date.parse('2026-01-01T23:55:00Z')
    const waitedMs: number[] = []
    const move = moveOf(account.uuid, async ms => {
      if (ms < 60_000) return await shortly(ms)
      waitedMs.push(ms)
      expect(await shards.ownersOf(account.id)).toEqual([0])
      if (waitedMs.length === 1) {
        await storeEvent(ctx, account.uuid, {})
        await ensurePartitions(source, Date.now() + 3 * dayMs)
        nowMs = Date.parse('2026-01-02T00:05:00Z')
      } else {
        // of a day that only the source had
        await storeEvent(
          { ...ctx, clock: { ...ctx.clock, nowMs: () => Date.now() + 4 * dayMs } },
          account.uuid,
          {},
        )
        nowMs = Date.parse('2026-01-02T00:15:00Z')
      }
    })

    await moveAccount(move, { ...quietly, nowMs: () => nowMs })
    expect(waitedMs).toEqual([20 * 60_000, 10 * 60_000])
    expect(await shards.ownersOf(account.id)).toEqual([1])
    const events = await target.query('select from event where account_id = $1', [account.uuid])
    expect(events).toHaveLength(3)
    expect(await shards.replication()).toEqual([])
  })

  test('does not wait for midnight if the account stands still already', async () => {
    const account = await newAccount()
    await killAt(shards, account.move, killPointNamed('the step stopped'))
    expect(await shards.ownersOf(account.id)).toEqual([])
    for (const db of shards.databases) {
      await until('its locks are gone', async () => {
        const locks = await db.query(
          `select from pg_locks where locktype = 'advisory' and classid = $1
             and database = (select oid from pg_database where datname = current_database())`,
          [moveLock],
        )
        return locks.length === 0
      })
    }

    const move = moveOf(account.uuid, async ms => {
      expect(ms).toBeLessThan(60_000)
      await shortly(ms)
    })
    await moveAccount(move, { ...quietly, nowMs: () => Date.parse('2026-01-01T23:58:00Z') })
    expect(await shards.ownersOf(account.id)).toEqual([1])
  })

  test('refuses to continue after a migration added a column, and can be undone', async () => {
    const account = await newAccount()
    await killAt(shards, account.move, killPointNamed('the step stopping'))
    for (const db of shards.databases) await db.query('alter table suppression add column added text')

    const continued = await shards.run(account.move)
    expect(continued).toMatchObject({ code: 1 })
    expect(continued.stderr).toContain('suppression has new columns since this move began (added)')
    expect(await shards.run(account.cancel)).toMatchObject({ code: 0 })
    expect(await shards.ownersOf(account.id)).toEqual([0])
    expect(await shards.run(account.move)).toMatchObject({ code: 0 })
    for (const db of shards.databases) await db.query('alter table suppression drop column added')
  })

  test('refuses to continue after a standby of the other shard took over, and can be undone', async () => {
    const [source] = shards.databases
    const account = await newAccount()
    await killAt(shards, account.move, killPointNamed('the step stopped'))
    await source.query(`comment on publication ${moveName(account.uuid)} is '000000FF'`)

    const continued = await shards.run(account.move)
    expect(continued).toMatchObject({ code: 1 })
    expect(continued.stderr).toContain('another server has taken over shard 1')
    expect(await shards.run(account.cancel)).toMatchObject({ code: 0 })
    expect(await shards.ownersOf(account.id)).toEqual([0])
    expect(await shards.run(account.move)).toMatchObject({ code: 0 })
  })

  test('that was undone meanwhile hands nothing over', async () => {
    const [, target] = shards.databases
    const account = await newAccount()
    await target.query(
      `insert into account_move (account_id, from_shard, to_shard, step) values ($1, 0, 1, 'cancelled')`,
      [account.uuid],
    )
    await expect(handOver(moveOf(account.uuid))).rejects.toThrow('another command has undone this move')
    expect(await shards.ownersOf(account.id)).toEqual([0])
    await target.query('delete from account_move')
  })

  test('that was undone while its command had lost its locks does not take the account away', async () => {
    const account = await newAccount()
    await expect(stopAccount(moveOf(account.uuid), quietly.retry)).rejects.toThrow(
      'another command has undone this move',
    )
    expect(await shards.ownersOf(account.id)).toEqual([0])
  })

  test('back is not disturbed by a slow job that deletes what the first move left', async () => {
    const [source] = shards.databases
    const account = await newAccount()
    await storeEvent(ctx, account.uuid, {})
    expect(await shards.run(account.move)).toMatchObject({ code: 0 })
    await source.query(`update account_move set ended_at = now() - interval '2 hours'`)
    let moved: Promise<unknown> | undefined
    const slow: Queryable = {
      ...source,
      query: async (statement, values) => {
        if (typeof statement === 'string' && statement.startsWith('delete from event ')) {
          moved ??= shards.run(['accounts', 'move', account.id, '--to', '0'])
          expect(await moved).toMatchObject({ code: 0 })
        }
        return await source.query(statement, values)
      },
    }
    await purgeMovedAccounts(slow, Date.now())
    expect(moved).toBeDefined()
    expect(await source.query('select from event where account_id = $1', [account.uuid])).toHaveLength(1)
    expect(await shards.ownersOf(account.id)).toEqual([0])
  })

  test('removes the slots of a subscription that is gone, and of nobody else', async () => {
    const [source, target] = shards.databases
    const [{ id } = { id: '' }] = await target.query<{ id: string }>(
      'select system_identifier::text as id from pg_control_system()',
    )
    for (const name of [`pg_1_sync_2_${id}`, 'pg_1_sync_2_3', 'other'])
      await source.query(`select pg_create_logical_replication_slot($1, 'pgoutput')`, [name])
    const account = await newAccount()
    await killAt(shards, account.move, killPointNamed('the subscription'))
    expect(await shards.replication()).toContain(`slot ${moveName(account.uuid)}`)

    expect(await shards.run(account.cancel)).toMatchObject({ code: 0 })
    expect((await shards.replication()).sort()).toEqual(['slot other', 'slot pg_1_sync_2_3'])
    for (const name of ['pg_1_sync_2_3', 'other'])
      await source.query('select pg_drop_replication_slot($1)', [name])
  })

  test('that cannot subscribe leaves no slot behind', async () => {
    const account = await newAccount()
    // the driver accepts this parameter, and libpq does not
    const databases = `0=${shards.urls[0]}?connect_timeouts=1,1=${shards.urls[1]}`
    const failed = await shards.run(account.move, { POSTHORN_SHARD_DATABASES: databases })
    expect(failed).toMatchObject({ code: 1 })
    expect((await shards.replication()).filter(name => name.startsWith('slot'))).toEqual([])
    expect(await shards.run(account.cancel)).toMatchObject({ code: 0 })
    expect(await shards.replication()).toEqual([])
  })

  test('waits for the transactions of other roles, which its own role may not look into', async () => {
    const [source] = shards.databases
    await source.query('create role watcher login')
    const url = shards.urls[0].replace('posthorn@', 'watcher@')
    await using watcher = await openDatabase({ url, dataDir: '', connectionsMax: 1, onLost: () => {} })
    await source.transaction(async tx => {
      await tx.query('select 1')
      await expect(waitForTransactions(watcher, { wait: shortly, msMax: 20 })).rejects.toThrow(
        'has been open',
      )
    })
    await waitForTransactions(watcher, { wait: shortly, msMax: 20 })
  })

  test('does not wait for a migration that waits for it', async () => {
    const [source] = shards.databases
    await source.transaction(async tx => {
      await tx.query('select pg_advisory_xact_lock($1, 1), pg_advisory_xact_lock_shared($2)', [
        moveLock,
        migrationLock,
      ])
      void migrate(source)
      await until('it waits', async () => {
        return (
          (await source.query(`select from pg_locks where locktype = 'advisory' and not granted`)).length > 0
        )
      })
      await waitForTransactions(source, { wait: shortly, msMax: 20 })
    })
  })

  test.skipIf(installation.version.startsWith('15'))('needs no superuser', async () => {
    for (const db of shards.databases) await db.query(limitedOwner)
    const account = await newAccount()
    const [zero, one] = shards.urls.map(url => url.replace('posthorn@', 'mover:secret@'))
    const env = { POSTHORN_SHARD_DATABASES: `0=${zero},1=${one}` }
    expect(await shards.run(account.move, env)).toMatchObject({ code: 0 })
    expect(await shards.ownersOf(account.id)).toEqual([1])
    expect(await shards.replication()).toEqual([])
  })

  async function newAccount() {
    const { id } = await createAccount(ctx, { name: 'Acme', max_endpoints: 10 })
    return {
      id,
      uuid: uuidOf('acct', id),
      move: ['accounts', 'move', id, '--to', '1'],
      cancel: ['accounts', 'move', id, '--cancel'],
    }
  }

  function moveOf(accountId: string, waiting = shortly): Move {
    const [source, target] = shards.databases.map((db, number) => ({
      number,
      url: shards.urls[number] ?? '',
      db,
    }))
    if (source === undefined || target === undefined) throw new Error('two shards')
    return { accountId, source, target, directory: source, name: moveName(accountId), wait: waiting }
  }
})

const quietly: Omit<MoveOptions, 'nowMs'> = {
  retry: { baseSeconds: 1, capSeconds: 1 },
  onProgress: () => {},
  onStep: () => {},
}

async function shortly(ms: number): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, ms))
}

/** A role with what docs/run/move-accounts.md names. It must give its password, because PostgreSQL asks that of its subscriptions. */
const limitedOwner = `
create role mover login replication password 'secret' in role pg_create_subscription;
do $$
declare name text;
begin
  execute format('grant create on database %I to mover', current_database());
  grant create on schema public to mover;
  for name in select oid::regclass::text from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') loop
    execute format('alter table %s owner to mover', name);
  end loop;
  execute format($copy$copy (values ('local all mover scram-sha-256'), ('local all all trust')) to %L$copy$,
    current_setting('hba_file'));
  perform pg_reload_conf();
end
$$`
