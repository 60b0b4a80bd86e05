import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { newId } from '../../src/new-id.ts'
import { createAccount } from '../../src/accounts/create-account.ts'
import { createErasure } from '../../src/erasures/create-erasure.ts'
import { watchEndpointHealth } from '../../src/health/watch-endpoint-health.ts'
import { moveLock } from '../../src/moves/wait-for-transactions.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { parseTypeId, typeId } from '../../src/domain/type-id.ts'
import { verbContext } from '../verbs/verb-context.ts'
import { startTwoShards, type TwoShards } from './two-shards.ts'

describe('accounts move refuses', () => {
  let shards: TwoShards
  let source: Database
  let target: Database
  let account: string
  beforeAll(async () => {
    shards = await startTwoShards()
    ;[source, target] = shards.databases
    account = (await createAccount(verbContext(source), { name: 'Acme', max_endpoints: 10 })).id
  })
  afterAll(async () => await shards[Symbol.asyncDispose]())

  const refused = async (to: string, env: Record<string, string> = {}): Promise<string> => {
    const { code, stderr } = await shards.run(['accounts', 'move', account, '--to', to], env)
    expect(code).toBe(1)
    expect(await shards.ownersOf(account)).toEqual([0])
    return stderr
  }

  test('a shard without a database', async () => {
    expect(await refused('7')).toContain('POSTHORN_SHARD_DATABASES does not name shard 7')
  })

  test('a shard that the installation does not have', async () => {
    await source.query('delete from shard where number = 1')
    expect(await refused('1')).toContain('the installation has no shard 1')
    await source.query('insert into shard (number) values (1)')
  })

  test('a closed shard', async () => {
    await source.query(`update shard set state = 'closed' where number = 1`)
    expect(await refused('1')).toContain('shard 1 is closed')
    await source.query(`update shard set state = 'open' where number = 1`)
  })

  test('the shard that has the account', async () => {
    expect(await refused('0')).toContain('the account is on shard 0 already')
  })

  test('an account that the directory does not have', async () => {
    const unknown = typeId('acct', newId(verbContext(source)))
    const { stderr } = await shards.run(['accounts', 'move', unknown, '--to', '1'])
    expect(stderr).toContain('the directory does not have this account')
  })

  test('a shard of another installation', async () => {
    const [{ id } = { id: '' }] = await target.query<{ id: string }>('select id from installation')
    await target.query('update installation set id = gen_random_uuid()')
    expect(await refused('1')).toContain('shard 1 belongs to another installation')
    await target.query('update installation set id = $1', [id])
  })

  test('databases under the wrong numbers', async () => {
    await target.query('update installation set shard = 2')
    expect(await refused('1')).toContain(
      'shard 1 in POSTHORN_SHARD_DATABASES cannot be used: it is that of shard 2',
    )
    await target.query('update installation set shard = 1')
  })

  test('a shard with another schema', async () => {
    await target.query(`insert into schema_migration (version, name) values (9999, '9999-later.sql')`)
    expect(await refused('1')).toContain('shard 1 has schema version 9999')
    await target.query('delete from schema_migration where version = 9999')
  })

  test('a deleted account', async () => {
    const id = parseTypeId('acct', account)
    await source.query('update account set deleted_at = now() where id = $1', [id])
    expect(await refused('1')).toContain('the account is deleted')
    await source.query('update account set deleted_at = null where id = $1', [id])
  })

  test('other master keys', async () => {
    await createWebhook(verbContext(source), parseTypeId('acct', account) ?? '', {
      url: 'https://example.com/',
    })
    expect(await refused('1')).toContain('master key')
    await source.query('delete from signing_key')
    await source.query('delete from endpoint')
  })

  test('roles that may not replicate', async () => {
    for (const [db, other] of [
      [source, 1],
      [target, 0],
    ] as const) {
      await db.query('create role limited login in role pg_read_all_data')
      const limited = shards.urls[other === 1 ? 0 : 1].replace('posthorn@', 'limited@')
      const databases = [limited, shards.urls[other]]
      const [zero, one] = other === 1 ? databases : databases.toReversed()
      const reason = await refused('1', { POSTHORN_SHARD_DATABASES: `0=${zero},1=${one}` })
      expect(reason).toContain(`the role of shard ${other === 1 ? 0 : 1} in POSTHORN_SHARD_DATABASES`)
      await db.query('drop role limited')
    }
  })

  test('a domain that another account there has verified', async () => {
    for (const [db, id] of [
      [source, parseTypeId('acct', account)],
      [target, newId(verbContext(target))],
    ] as const) {
      await db.query(
        `insert into sending_domain (account_id, id, name, selector, private_key_sealed, public_key, verified_at)
         values ($1, $1, 'example.com', 's', '', '', now())`,
        [id],
      )
    }
    expect(await refused('1')).toContain('another account on shard 1 has verified example.com')
    for (const db of [source, target]) await db.query('delete from sending_domain')
  })

  test('a move to a third shard while one is under way', async () => {
    await source.query(
      `insert into account_move (account_id, from_shard, to_shard, step) values ($1, 0, 1, 'copying')`,
      [parseTypeId('acct', account)],
    )
    expect(await refused('2')).toContain('the account already moves to shard 1')
    await source.query(`update shard set state = 'closed' where number = 1`)
    const continued = ['accounts', 'move', account, '--to', '1', '--dry-run']
    expect(await shards.run(continued), 'a closed shard does not stop it').toMatchObject({ code: 0 })
    await source.query(`update shard set state = 'open' where number = 1`)
    await source.query('delete from account_move')
  })

  test('an account that another command moves', async () => {
    for (const db of shards.databases) {
      await db.transaction(async tx => {
        await tx.query(`select pg_advisory_xact_lock($1, ('x' || right($2, 8))::bit(32)::int)`, [
          moveLock,
          parseTypeId('acct', account),
        ])
        expect(await refused('1')).toContain('another command moves this account')
      })
    }
  })

  test('to undo a move that there is not', async () => {
    const dry = await shards.run(['accounts', 'move', account, '--cancel', '--dry-run'])
    expect(dry).toMatchObject({ code: 2, stderr: expect.stringContaining('--cancel has no dry run') })
    const { stderr } = await shards.run(['accounts', 'move', account, '--cancel'])
    expect(stderr).toContain('no move of this account is under way')
  })

  test('a source without logical replication, and a dry run says so too', async () => {
    await shards.useWalLevel(0, 'replica')
    expect(await refused('1')).toContain('set wal_level = logical')
    const dry = await shards.run(['accounts', 'move', account, '--to', '1', '--dry-run'])
    expect(dry.stderr).toContain('set wal_level = logical')
    await shards.useWalLevel(0, 'logical')
  })

  test('nothing after that: a dry run changes nothing, and the account moves without a service', async () => {
    const dry = await shards.run(['accounts', 'move', account, '--to', '1', '--dry-run', '--json'])
    expect(JSON.parse(dry.stdout)).toMatchObject({ account, from: 0, to: 1, moved: false })
    expect(await source.query('select from account_move')).toEqual([])
    expect(await shards.run(['accounts', 'move', account, '--to', '1'])).toMatchObject({ code: 0 })
    expect(await shards.ownersOf(account)).toEqual([1])
  })

  test('a job that found something to do before its account was taken away', async () => {
    const { id } = await createAccount(verbContext(source), { name: 'Acme', max_endpoints: 10 })
    const accountId = parseTypeId('acct', id)
    await source.query(
      `insert into endpoint (account_id, id, url, events, status, failures_in_row, failing_since, exhausted_since)
       values ($1, $1, 'https://example.com/', '{}', 'enabled', 9, now() - interval '1 hour', now())`,
      [accountId],
    )
    const transaction: Database['transaction'] = async work => {
      expect(await shards.run(['accounts', 'move', id, '--to', '1'])).toMatchObject({ code: 0 })
      return await source.transaction(work)
    }
    const ctx = verbContext(source)
    const steps = await watchEndpointHealth({ ...ctx, db: { ...source, transaction } }, null, () => {})
    expect(steps).toEqual({ steps: 0 })
    const later = verbContext(target)
    expect(await watchEndpointHealth(later, null, () => {})).toEqual({ steps: 1 })
  })

  test('a request that began before its account was taken away', async () => {
    const moved = (await createAccount(verbContext(source), { name: 'Moved', max_endpoints: 10 })).id
    expect(await shards.run(['accounts', 'move', moved, '--to', '1'])).toMatchObject({ code: 0 })
    const id = parseTypeId('acct', moved) ?? ''
    const late = createErasure(verbContext(source), id, 'a@example.com')
    await expect(late).rejects.toMatchObject({ code: 'PH001' })
    const email = source.query(
      `insert into email (account_id, id, from_address, subject, message_id, unsubscribable) values ($1, $2, '', '', '', false)`,
      [id, newId(verbContext(source))],
    )
    await expect(email).rejects.toMatchObject({ code: 'PH001' })
    await createErasure(verbContext(target), id, 'a@example.com')
  })
})
