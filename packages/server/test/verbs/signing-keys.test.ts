import type { SigningKey } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { newId } from '../../src/new-id.ts'
import { openSigningSecret } from '../../src/seal/signing-secret.ts'
import { listSigningKeys } from '../../src/signing-keys/list-signing-keys.ts'
import { promoteSigningKey } from '../../src/signing-keys/promote-signing-key.ts'
import { retireSigningKey } from '../../src/signing-keys/retire-signing-key.ts'
import { stageSigningKey } from '../../src/signing-keys/stage-signing-key.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { deleteWebhook } from '../../src/webhooks/delete-webhook.ts'
import { getWebhook } from '../../src/webhooks/get-webhook.ts'
import { verbBackends, openTestDatabase } from '../support/test-database.ts'
import { newAccount, refusal, uuidOf, verbContext, type VerbContext } from './verb-context.ts'

const url = 'https://hooks.example.com/mail'

describe.each(verbBackends())('signing keys on $name', backend => {
  let db: Database
  let ctx: VerbContext
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  test('an endpoint starts with one primary key, whose stored secret is the one that was shown', async () => {
    const endpoint = await newEndpoint()
    const [primary, ...rest] = await endpoint.keys()
    expect(rest).toEqual([])
    expect(primary).toEqual({
      key_id: expect.stringMatching(/^whk_/),
      state: 'primary',
      secret_prefix: endpoint.secret.slice(0, 10),
      created_at: expect.any(String),
      promoted_at: primary?.created_at,
      retired_at: null,
      signature_name: 'v1',
      verified_count: 0,
      last_verified_at: null,
      recent: { attempts: 0, verified: 0 },
    })
    expect(await endpoint.storedSecrets()).toEqual({ v1: endpoint.secret })
  })

  test('a rotation stages a key, promotes it and erases the old secret', async () => {
    const endpoint = await newEndpoint()
    const [old] = await endpoint.keys()
    const { secret, ...staged } = await endpoint.stage()
    expect(staged).toMatchObject({
      state: 'staged',
      signature_name: 'v1s',
      secret_prefix: secret?.slice(0, 10),
    })
    expect(await endpoint.storedSecrets()).toEqual({ v1: endpoint.secret, v1s: secret })
    expect((await endpoint.webhook()).secret_prefix).toBe(old?.secret_prefix)

    const promoted = await endpoint.promote(staged)
    expect(promoted).toMatchObject({
      key_id: staged.key_id,
      state: 'primary',
      signature_name: 'v1',
      retired_at: null,
    })
    expect(promoted.promoted_at).not.toBeNull()

    const [newest, oldest] = await endpoint.keys()
    expect(newest).toMatchObject({ key_id: staged.key_id, state: 'primary' })
    expect(oldest).toMatchObject({ key_id: old?.key_id, state: 'retired', signature_name: null })
    expect(oldest?.retired_at).not.toBeNull()
    expect(await endpoint.storedSecrets()).toEqual({ v1: secret })
    expect((await endpoint.webhook()).secret_prefix).toBe(secret?.slice(0, 10))
  })

  test('at most two keys are staged; when the older one is retired, the younger one takes its name', async () => {
    const endpoint = await newEndpoint()
    const older = await endpoint.stage()
    const younger = await endpoint.stage()
    expect([older.signature_name, younger.signature_name]).toEqual(['v1s', 'v1s2'])
    expect(await refusal(endpoint.stage())).toBe('staged_key_limit_reached')

    const retired = await endpoint.retire(older)
    expect(retired).toMatchObject({ state: 'retired', signature_name: null, promoted_at: null })
    expect(await endpoint.storedSecrets()).toEqual({ v1: endpoint.secret, v1s: younger.secret })

    const third = await endpoint.stage()
    expect(third.signature_name).toBe('v1s2')
    await endpoint.promote(third)
    expect(await endpoint.storedSecrets()).toEqual({ v1: third.secret, v1s: younger.secret })
  })

  test('promoting a key that no receiver has verified succeeds with a warning', async () => {
    const endpoint = await newEndpoint()
    const unverified = await endpoint.stage()
    expect((await endpoint.promote(unverified)).warnings).toEqual([
      { code: 'never_verified', message: expect.stringContaining('No receiver has proved yet') },
    ])
    const verified = await endpoint.stage()
    await db.query('update signing_key set verified_count = 3, last_verified_at = now() where id = $1', [
      uuidOf('whk', verified.key_id),
    ])
    const promoted = await endpoint.promote(verified)
    expect(promoted.warnings).toBeUndefined()
    expect(promoted).toMatchObject({ verified_count: 3, last_verified_at: expect.any(String) })
  })

  test('the primary cannot be retired, and only staged keys can be promoted or retired', async () => {
    const endpoint = await newEndpoint()
    const [primary] = await endpoint.keys()
    if (primary === undefined) return expect.unreachable('there is no primary')
    expect(await refusal(endpoint.retire(primary))).toBe('primary_key_cannot_be_retired')
    expect(await refusal(endpoint.promote(primary))).toBe('signing_key_not_staged')
    const staged = await endpoint.stage()
    await endpoint.retire(staged)
    expect(await refusal(endpoint.retire(staged))).toBe('signing_key_not_staged')
    expect(await refusal(endpoint.promote(staged))).toBe('signing_key_not_staged')
    expect(await endpoint.storedSecrets()).toEqual({ v1: endpoint.secret })
  })

  test('every change of keys increases the version that senders compare, and a rejected one does not', async () => {
    const endpoint = await newEndpoint()
    const start = await endpoint.version()
    const first = await endpoint.stage()
    const second = await endpoint.stage()
    await refusal(endpoint.stage())
    await endpoint.promote(first)
    await endpoint.retire(second)
    await refusal(endpoint.retire(second))
    expect(await endpoint.version()).toBe(start + 4)
  })

  test('staging a key needs no free endpoint slot', async () => {
    const accountId = await newAccount(ctx, 1)
    const webhookId = uuidOf('wh', (await createWebhook(ctx, accountId, { url })).id)
    await stageSigningKey(ctx, accountId, webhookId)
    await stageSigningKey(ctx, accountId, webhookId)
    expect(await refusal(createWebhook(ctx, accountId, { url }))).toBe('endpoint_limit_reached')
  })

  test('keys are listed in pages, newest first, with their signature names', async () => {
    const endpoint = await newEndpoint()
    for (let i = 0; i < 3; i++) await endpoint.promote(await endpoint.stage())
    await endpoint.stage()
    await endpoint.stage()
    const first = await listSigningKeys(ctx, endpoint.accountId, endpoint.webhookId, { limit: 2 })
    expect(first.data.map(key => key.signature_name)).toEqual(['v1s2', 'v1s'])
    const cursor = first.next_cursor ?? ''
    const second = await listSigningKeys(ctx, endpoint.accountId, endpoint.webhookId, { limit: 10, cursor })
    expect(second.data.map(key => key.state)).toEqual(['primary', 'retired', 'retired', 'retired'])
    expect(second.next_cursor).toBeNull()
  })

  test('keys of other accounts, other endpoints and deleted endpoints are not found', async () => {
    const [endpoint, other] = [await newEndpoint(), await newEndpoint()]
    const key = await endpoint.stage()
    const keyId = uuidOf('whk', key.key_id)
    expect(await refusal(promoteSigningKey(ctx, endpoint.accountId, endpoint.webhookId, newId(ctx)))).toBe(
      'not_found',
    )
    expect(await refusal(promoteSigningKey(ctx, other.accountId, other.webhookId, keyId))).toBe('not_found')
    expect(await refusal(retireSigningKey(ctx, other.accountId, endpoint.webhookId, keyId))).toBe('not_found')
    expect(await refusal(stageSigningKey(ctx, other.accountId, endpoint.webhookId))).toBe('not_found')
    expect(await refusal(listSigningKeys(ctx, other.accountId, endpoint.webhookId, { limit: 1 }))).toBe(
      'not_found',
    )

    await deleteWebhook(ctx, endpoint.accountId, endpoint.webhookId)
    expect(await refusal(endpoint.stage())).toBe('not_found')
    expect(await refusal(endpoint.promote(key))).toBe('not_found')
    expect(await refusal(endpoint.retire(key))).toBe('not_found')
    expect(await refusal(endpoint.keys())).toBe('not_found')
  })

  async function newEndpoint() {
    const accountId = await newAccount(ctx)
    const made = await createWebhook(ctx, accountId, { url })
    const webhookId = uuidOf('wh', made.id)
    return {
      accountId,
      webhookId,
      secret: made.secret ?? '',
      webhook: async () => await getWebhook(ctx, accountId, webhookId),
      keys: async () => (await listSigningKeys(ctx, accountId, webhookId, { limit: 50 })).data,
      stage: async () => await stageSigningKey(ctx, accountId, webhookId),
      promote: async (key: SigningKey) =>
        await promoteSigningKey(ctx, accountId, webhookId, uuidOf('whk', key.key_id)),
      retire: async (key: SigningKey) =>
        await retireSigningKey(ctx, accountId, webhookId, uuidOf('whk', key.key_id)),
      version: async () => {
        const [row] = await db.query<{ version: number }>('select version from endpoint where id = $1', [
          webhookId,
        ])
        return row?.version ?? 0
      },
      /** The secrets that a sender finds, by the name of their signature part. */
      storedSecrets: async () => {
        const rows = await db.query<{ id: string; secret_sealed: Uint8Array }>(
          'select id, secret_sealed from signing_key where endpoint_id = $1 and secret_sealed is not null',
          [webhookId],
        )
        const names = new Map(
          (await listSigningKeys(ctx, accountId, webhookId, { limit: 50 })).data.map(key => [
            uuidOf('whk', key.key_id),
            key.signature_name,
          ]),
        )
        return Object.fromEntries(
          rows.map(row => [
            names.get(row.id),
            openSigningSecret(
              ctx.seal,
              { accountId, endpointId: webhookId, keyId: row.id },
              row.secret_sealed,
            )
              .export()
              .toString(),
          ]),
        )
      },
    }
  }
})
