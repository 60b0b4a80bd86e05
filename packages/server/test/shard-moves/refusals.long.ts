import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Queryable } from '../../src/db/database.ts'
import { migrationLock } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { openShardServers } from '../../src/shard-moves/shard-servers.ts'
import { moveShard } from '../../src/shard-moves/move-shard.ts'
import { posthorn } from '../cli/posthorn-process.ts'
import { newestPostgres } from '../support/postgres-standby.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { until } from '../support/until.ts'
import { type MovedPair, severalHosts, startMovedPair } from './moved-pair.ts'

describe('shards move refuses', () => {
  let moved: MovedPair
  let stranger: PostgresServer
  beforeAll(async () => {
    stranger = await startPostgres(newestPostgres(), tmpdir(), 64)
    moved = await startMovedPair()
    await moved.pair.on(moved.pair.primary, async db => {
      await db.query('create role limited login')
    })
    await onStranger(async db => await db.query('create database posthorn'))
  })
  afterAll(async () => {
    await moved[Symbol.asyncDispose]()
    await stranger[Symbol.asyncDispose]()
  })

  async function onStranger(work: (db: Queryable) => Promise<unknown>): Promise<void> {
    const url = stranger.url('postgres')
    await using db = await openDatabase({ url, dataDir: '', connectionsMax: 1, onLost: () => {} })
    await work(db)
  }

  /** Expects that nothing changes, and returns why. */
  async function refused(
    servers: readonly [PostgresServer, PostgresServer] = [moved.pair.primary, moved.pair.standby],
    user = 'posthorn',
  ): Promise<string> {
    const [first, second] = servers.map(server => server.url('posthorn').replace('posthorn@', `${user}@`))
    const { code, stderr } = await posthorn(['shards', 'move', '0', '--to', moved.nameOf(servers[1])], {
      env: moved.environment([first ?? '', second ?? '']),
    })
    expect(code).toBe(1)
    expect([await moved.isReadOnly(moved.pair.primary), await moved.writable()]).toEqual([false, 1])
    return stderr
  }

  test('a target that is not a standby', async () => {
    expect(await refused([moved.pair.primary, stranger])).toContain('is not a standby of')
  })

  test('the standby of another cluster', async () => {
    expect(await refused([stranger, moved.pair.standby])).toContain('another database cluster')
  })

  test('the primary as the target of its own standby: it has the shard already', async () => {
    const { primary, standby } = moved.pair
    const args = ['shards', 'move', '0', '--to', moved.nameOf(primary)]
    const { code, stdout } = await posthorn(args, { env: moved.environment() })
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('already') })
    expect(await moved.isReadOnly(standby)).toBe(true)
  })

  test('a role that may not stop writes', async () => {
    expect(await refused(undefined, 'limited')).toContain('is not a superuser')
  })

  test('a host that the setting does not name, or a setting with one host', async () => {
    const other = await posthorn(['shards', 'move', '0', '--to', 'db9'], { env: moved.environment() })
    expect(other.stderr).toContain('--to must be')
    const one = `0=${moved.pair.primary.url('posthorn')}`
    const env = { POSTHORN_SHARD_DATABASES: one }
    const single = await posthorn(['shards', 'move', '0', '--to', 'db9'], { env })
    expect(single.stderr).toContain('must name two servers for shard 0')
  })

  test('the database of another shard', async () => {
    await onPrimary('update installation set shard = 2')
    expect(await refused()).toContain('is that of shard 2')
    await onPrimary('update installation set shard = 0')
  })

  test('a role with its own read-only setting', async () => {
    await onPrimary('alter role limited set default_transaction_read_only = off')
    expect(await refused()).toContain('alter role … reset')
    await onPrimary('alter role limited reset all')
  })

  test('a target that would be read-only, or would wait for a standby', async () => {
    await withSetting('default_transaction_read_only', 'on', 'has default_transaction_read_only = on')
    await withSetting('synchronous_standby_names', 'other', 'would wait forever')
  })

  test('a target whose system sorts texts in another order', async () => {
    await onPrimary(
      `create table before as select datcollversion from pg_database where datname = 'posthorn'`,
    )
    await onPrimary(`update pg_database set datcollversion = '0' where datname = 'posthorn'`)
    expect(await refused()).toContain('sorts texts in another order')
    await onPrimary(
      `update pg_database d set datcollversion = b.datcollversion from before b where datname = 'posthorn'`,
    )
    await onPrimary('drop table before')
  })

  test('a paused replay', async () => {
    await onStandby('select pg_wal_replay_pause()')
    expect(await refused()).toContain('is paused')
    await onStandby('select pg_wal_replay_resume()')
  })

  test('logical replication', async () => {
    await onPrimary(
      `create subscription account_move connection 'host=/nowhere' publication p with (connect = false, slot_name = none)`,
    )
    expect(await refused()).toContain('logical replication (account_move)')
    await onPrimary('drop subscription account_move')
  })

  test('a running migration, and a second command', async () => {
    await moved.pair.on(moved.pair.primary, async db => {
      await db.transaction(async tx => {
        await tx.query('select pg_advisory_xact_lock($1)', [migrationLock])
        expect(await refused()).toContain('a migration is running')
      })
    })
    for (const server of [moved.pair.primary, moved.pair.standby]) {
      await moved.pair.on(server, async db => {
        await db.transaction(async tx => {
          await tx.query('select pg_advisory_xact_lock($1, 0)', [0x6d6f7673])
          expect(await refused()).toContain('another command moves this shard')
          expect((await moved.move('--cancel')).stderr).toContain('another command moves this shard')
        })
      })
    }
  })

  test('a second command for another shard of this server', async () => {
    for (const server of [moved.pair.primary, moved.pair.standby]) {
      const url = server.url('postgres')
      await using other = await openDatabase({ url, dataDir: '', connectionsMax: 1, onLost: () => {} })
      await other.transaction(async tx => {
        await tx.query('select pg_advisory_xact_lock($1, 1)', [0x6d6f7673])
        expect(await refused()).toContain('another command moves this shard, or another one of this server')
        expect((await moved.move('--cancel')).stderr).toContain('another one of this server')
      })
    }
  })

  test('to undo a move that there is not', async () => {
    expect((await moved.move('--cancel')).stderr).toContain('no move of this shard is under way')
  })

  test('nothing to undo while the old server is read-only, whatever its file says', async () => {
    const readOnly = async (): Promise<boolean> => await moved.isReadOnly(moved.pair.primary)
    await onPrimary('alter system set default_transaction_read_only = on')
    await onPrimary('select pg_reload_conf()')
    await until('it is read-only', readOnly)
    await onPrimary('alter system reset default_transaction_read_only')
    expect(await moved.move('--cancel')).toMatchObject({ code: 0, stderr: '' })
    expect(await readOnly()).toBe(false)
  })

  test('the minutes around midnight UTC: it waits', async () => {
    const waits: number[] = []
    const url = severalHosts([moved.pair.primary.url('posthorn'), moved.pair.standby.url('posthorn')])
    await using servers = await openShardServers(
      { number: 0, url },
      moved.nameOf(moved.pair.standby),
      async ms => {
        waits.push(ms)
        expect(await moved.isReadOnly(moved.pair.primary)).toBe(false)
        throw new Error('enough')
      },
    )
    const nowMs = (): number => Date.parse('2026-01-01T23:58:00Z')
    const moving = moveShard(servers.move, { nowMs, onProgress: () => {}, onStep: () => {} })
    await expect(moving).rejects.toThrow('enough')
    expect(waits).toEqual([17 * 60_000])
  })

  test('a standby that does not stream', async () => {
    await onStandby(`alter system set primary_conninfo = ''`)
    await onStandby('select pg_reload_conf()')
    await until('it has stopped', async () => {
      return (await onStandby('select from pg_stat_wal_receiver')).length === 0
    })
    expect(await refused()).toContain('does not stream from')
    expect((await moved.move('--dry-run')).stderr).toContain('does not stream from')
  })

  async function onPrimary(statement: string): Promise<void> {
    await moved.pair.on(moved.pair.primary, async db => await db.query(statement))
    await moved.pair.waitUntilStandbyHasAll()
  }

  async function onStandby(statement: string): Promise<object[]> {
    return await moved.pair.on(moved.pair.standby, async db => await db.query(statement))
  }

  async function withSetting(name: string, value: string, reason: string): Promise<void> {
    const seen = async (expected: boolean) =>
      await until('the setting counts', async () => {
        return (
          (await onStandby(`select where current_setting('${name}') = '${value}'`)).length > 0 === expected
        )
      })
    await onStandby(`alter system set ${name} = '${value}'`)
    await onStandby('select pg_reload_conf()')
    await seen(true)
    expect(await refused()).toContain(reason)
    await onStandby(`alter system reset ${name}`)
    await onStandby('select pg_reload_conf()')
    await seen(false)
  }
})
