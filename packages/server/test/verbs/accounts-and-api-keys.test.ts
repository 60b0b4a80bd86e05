import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccount } from '../../src/accounts/create-account.ts'
import { deleteAccount } from '../../src/accounts/delete-account.ts'
import { getAccount } from '../../src/accounts/get-account.ts'
import { listAccounts } from '../../src/accounts/list-accounts.ts'
import { updateAccount } from '../../src/accounts/update-account.ts'
import { apiKeyDigest, createApiKey } from '../../src/api-keys/create-api-key.ts'
import { findApiKey } from '../../src/api-keys/find-api-key.ts'
import { listApiKeys } from '../../src/api-keys/list-api-keys.ts'
import { revokeApiKey } from '../../src/api-keys/revoke-api-key.ts'
import { touchApiKey } from '../../src/api-keys/touch-api-key.ts'
import type { Database } from '../../src/db/database.ts'
import { accountCode, codeOfCredential } from '../../src/domain/account-code.ts'
import { isApiKey } from '../../src/domain/api-key.ts'
import { operatorId } from '../../src/domain/operator-id.ts'
import { typeId } from '../../src/domain/type-id.ts'
import { createErasure } from '../../src/erasures/create-erasure.ts'
import { currentMailKey } from '../../src/mail/mail-key.ts'
import { newId } from '../../src/new-id.ts'
import { createPortalSession } from '../../src/sessions/create-portal-session.ts'
import { exchangePortalSession } from '../../src/sessions/exchange-portal-session.ts'
import { openAccountSession } from '../../src/sessions/open-account-session.ts'
import { adminCaller } from '../../src/http/caller.ts'
import { openOperatorSession } from '../../src/sessions/open-operator-session.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { deleteWebhook } from '../../src/webhooks/delete-webhook.ts'
import { getWebhook } from '../../src/webhooks/get-webhook.ts'
import { verbBackends, openTestDatabase } from '../support/test-database.ts'
import { newAccount, refusal, uuidOf, verbContext, type VerbContext } from './verb-context.ts'

describe.each(verbBackends())('accounts and API keys on $name', backend => {
  let db: Database
  let ctx: VerbContext
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  test('an account is created, found, partly updated, and listed newest first', async () => {
    const made = await createAccount(ctx, { name: 'First', max_endpoints: 3 })
    const id = uuidOf('acct', made.id)
    expect(await getAccount(ctx, id)).toEqual(made)
    expect(await updateAccount(ctx, id, { max_endpoints: 0 })).toEqual({ ...made, max_endpoints: 0 })
    expect(await updateAccount(ctx, id, { name: 'Renamed' })).toEqual({
      ...made,
      max_endpoints: 0,
      name: 'Renamed',
    })

    const second = await createAccount(ctx, { name: 'Second', max_endpoints: 10 })
    const page = await listAccounts(ctx, { limit: 2 })
    expect(page.data.map(account => account.id)).toEqual([second.id, made.id])
  })

  test('a new id whose code another account or the operator has is not used', async () => {
    const codes = [0x11111111, 0x11111111, 0, 0x22222222]
    const bytes = (length: number): Uint8Array => {
      const pool = Buffer.alloc(length)
      // nine bytes for each id, and the code in the last four
      for (const [n, code] of codes.entries()) pool.writeUInt32BE(code, 9 * n + 5)
      return pool
    }
    const repeating = { ...ctx, random: { fraction: Math.random, bytes } }
    const made = [await newAccount(repeating), await newAccount(repeating)]
    expect(made.map(accountCode)).toEqual([0x11111111, 0x22222222])
  })

  test('credentials and ids that arrive without an account carry its code', async () => {
    const accountId = await newAccount(ctx)
    const code = accountCode(accountId)
    const account_id = typeId('acct', accountId)
    const key = await createApiKey(ctx, accountId, { name: 'Test', scopes: ['read'] })
    expect(codeOfCredential(key.api_key ?? '')).toBe(code)
    const session = await openAccountSession(ctx, { accountId, keyId: uuidOf('key', key.id) })
    expect(codeOfCredential(session)).toBe(code)
    const link = await createPortalSession(ctx, {
      account_id,
      scopes: ['read'],
      allowed_origins: [],
      expires_in_seconds: 60,
    })
    const linkToken = link.url?.split('#')[1] ?? ''
    expect(codeOfCredential(linkToken)).toBe(code)
    const linkId = uuidOf('pses', link.id)
    expect(accountCode(linkId)).toBe(code)
    expect(codeOfCredential(await exchangePortalSession(ctx, { id: linkId, linkToken, bearer: true }))).toBe(
      code,
    )
    const erasure = await createErasure(ctx, accountId, 'ann@example.org')
    expect(accountCode(uuidOf('era', erasure.id))).toBe(code)
    expect((await currentMailKey(ctx, accountId, 'token')).number).toBe(code)
    expect(codeOfCredential(await openOperatorSession(ctx, adminCaller, 'token'))).toBe(
      accountCode(operatorId),
    )
  })

  test('a new account is placed on shard 0, and each placement has a newer version', async () => {
    const accounts = [await newAccount(ctx), await newAccount(ctx)]
    const rows = await db.query<{ account_id: string; shard: number; version: number; moving: boolean }>(
      'select account_id, shard, version, moving from placement where account_id = any($1) order by version',
      [accounts],
    )
    expect(rows).toEqual(
      accounts.map(account_id => ({ account_id, shard: 0, version: expect.any(Number), moving: false })),
    )
    const [installation] = await db.query<{ directory_version: number }>(
      'select directory_version from installation',
    )
    expect(rows.map(({ version }) => version)).toEqual([
      (installation?.directory_version ?? 0) - 1,
      installation?.directory_version,
    ])
  })

  test('an account shows its number of endpoints, without the deleted ones', async () => {
    const accountId = await newAccount(ctx, 3)
    await createWebhook(ctx, accountId, { url: 'https://a.example/' })
    const gone = await createWebhook(ctx, accountId, { url: 'https://b.example/' })
    expect(await getAccount(ctx, accountId)).toMatchObject({ max_endpoints: 3, endpoint_count: 2 })

    await deleteWebhook(ctx, accountId, uuidOf('wh', gone.id))
    expect(await getAccount(ctx, accountId)).toMatchObject({ endpoint_count: 1 })
    const { data } = await listAccounts(ctx, { limit: 250 })
    expect(data.find(account => uuidOf('acct', account.id) === accountId)).toMatchObject({
      endpoint_count: 1,
    })
  })

  test('the last page has no cursor, and pages stay stable while accounts are added', async () => {
    for (const name of ['a', 'b', 'c']) await createAccount(ctx, { name, max_endpoints: 1 })
    const first = await listAccounts(ctx, { limit: 2 })
    expect(first.data.map(account => account.name)).toEqual(['c', 'b'])

    await createAccount(ctx, { name: 'd', max_endpoints: 1 })
    const second = await listAccounts(ctx, { limit: 1, cursor: first.next_cursor ?? '' })
    expect(second.data.map(account => account.name)).toEqual(['a'])

    const all = await listAccounts(ctx, { limit: 250 })
    expect(all.next_cursor).toBeNull()
    const exact = await listAccounts(ctx, { limit: all.data.length })
    expect(exact.next_cursor).toBeNull()
  })

  test('an invalid cursor is rejected', async () => {
    for (const cursor of [
      'x',
      '!',
      Buffer.from('["12"]').toString('base64url'),
      Buffer.from('{}').toString('base64url'),
    ]) {
      expect(await refusal(listAccounts(ctx, { limit: 1, cursor })), cursor).toBe('validation_failed')
    }
  })

  test('a key is shown once, found by its digest, and listed without its secret', async () => {
    const accountId = await newAccount(ctx)
    const expires = '2030-01-01T00:00:00.000Z'
    const { api_key: shown, ...record } = await createApiKey(ctx, accountId, {
      name: 'CI',
      scopes: ['send', 'read'],
      expires_at: expires,
    })
    const key = shown ?? ''
    expect(isApiKey(key)).toBe(true)
    expect(record).toMatchObject({
      name: 'CI',
      scopes: ['send', 'read'],
      prefix: key.slice(0, 10),
      expires_at: expires,
    })
    expect(record).toMatchObject({ last_used_at: null, revoked_at: null })
    expect((await listApiKeys(ctx, accountId, { limit: 5 })).data).toEqual([record])

    expect(await findApiKey(ctx, apiKeyDigest(key))).toEqual({
      accountId,
      keyId: uuidOf('key', record.id),
      scopes: ['send', 'read'],
      expiresAt: new Date(expires),
      revokedAt: null,
    })
    expect(await findApiKey(ctx, apiKeyDigest(`${key} `))).toBeUndefined()
  })

  test('a revoked key stays in the list, and revoking it again changes nothing', async () => {
    const accountId = await newAccount(ctx)
    const made = await createApiKey(ctx, accountId, { name: 'old', scopes: ['ingest'] })
    const keyId = uuidOf('key', made.id)
    await revokeApiKey(ctx, accountId, keyId)
    const revokedAt = (await listApiKeys(ctx, accountId, { limit: 5 })).data[0]?.revoked_at
    expect(revokedAt).not.toBeNull()
    await revokeApiKey(ctx, accountId, keyId)
    expect((await listApiKeys(ctx, accountId, { limit: 5 })).data[0]?.revoked_at).toBe(revokedAt)
    expect((await findApiKey(ctx, apiKeyDigest(made.api_key ?? '')))?.revokedAt).not.toBeNull()
  })

  test('the last use is recorded at most once a minute', async () => {
    const accountId = await newAccount(ctx)
    const keyId = uuidOf('key', (await createApiKey(ctx, accountId, { name: 'k', scopes: ['read'] })).id)
    const lastUse = async () => (await listApiKeys(ctx, accountId, { limit: 1 })).data[0]?.last_used_at
    const goBack = async (interval: string) =>
      await db.query('update api_key set last_used_at = now() - $2::interval where id = $1', [
        keyId,
        interval,
      ])

    await touchApiKey(ctx, accountId, keyId)
    expect(await lastUse()).not.toBeNull()

    await goBack('59 seconds')
    const before = await lastUse()
    await touchApiKey(ctx, accountId, keyId)
    expect(await lastUse()).toBe(before)

    await goBack('61 seconds')
    const longBefore = await lastUse()
    await touchApiKey(ctx, accountId, keyId)
    expect(await lastUse()).not.toBe(longBefore)
  })

  test("another account's key is not found, and neither are the keys of an account that does not exist", async () => {
    const [mine, other] = [await newAccount(ctx), await newAccount(ctx)]
    const keyId = uuidOf('key', (await createApiKey(ctx, other, { name: 'k', scopes: ['read'] })).id)
    expect(await refusal(revokeApiKey(ctx, mine, keyId))).toBe('not_found')
    const nobody = newId(ctx)
    expect(await refusal(createApiKey(ctx, nobody, { name: 'k', scopes: ['read'] }))).toBe('not_found')
    expect(await refusal(listApiKeys(ctx, nobody, { limit: 1 }))).toBe('not_found')
    expect(await refusal(getAccount(ctx, nobody))).toBe('not_found')
    expect(await refusal(updateAccount(ctx, nobody, {}))).toBe('not_found')
    expect(await refusal(deleteAccount(ctx, nobody))).toBe('not_found')
  })

  test('deleting an account disables its keys and endpoints at once and erases every secret', async () => {
    const accountId = await newAccount(ctx)
    const key = await createApiKey(ctx, accountId, { name: 'k', scopes: ['read'] })
    const webhook = await createWebhook(ctx, accountId, {
      url: 'https://example.com/',
      headers: { 'X-Key': 'secret' },
    })
    const bystander = await newAccount(ctx)
    const kept = await createWebhook(ctx, bystander, { url: 'https://example.com/' })

    await deleteAccount(ctx, accountId)

    expect(await findApiKey(ctx, apiKeyDigest(key.api_key ?? ''))).toBeUndefined()
    expect(await refusal(getAccount(ctx, accountId))).toBe('not_found')
    expect(await refusal(getWebhook(ctx, accountId, uuidOf('wh', webhook.id)))).toBe('not_found')
    expect(await refusal(createWebhook(ctx, accountId, { url: 'https://example.com/' }))).toBe('not_found')
    expect(await refusal(createApiKey(ctx, accountId, { name: 'k', scopes: ['read'] }))).toBe('not_found')
    const secrets = await db.query(
      `select 1 as one from signing_key where account_id = $1 and secret_sealed is not null
       union all select 1 from endpoint where account_id = $1 and headers_sealed is not null
       union all select 1 from api_key where account_id = $1 and revoked_at is null`,
      [accountId],
    )
    expect(secrets).toEqual([])
    expect((await getWebhook(ctx, bystander, uuidOf('wh', kept.id))).status).toBe('enabled')
    expect(
      (await listAccounts(ctx, { limit: 250 })).data.map(account => uuidOf('acct', account.id)),
    ).not.toContain(accountId)
  })
})
