import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteAccount } from '../../src/accounts/delete-account.ts'
import { createApiKey } from '../../src/api-keys/create-api-key.ts'
import { createOwnApiKey } from '../../src/api-keys/create-own-api-key.ts'
import { listApiKeys } from '../../src/api-keys/list-api-keys.ts'
import { revokeApiKey } from '../../src/api-keys/revoke-api-key.ts'
import { revokeOwnApiKey } from '../../src/api-keys/revoke-own-api-key.ts'
import { createPortalSession } from '../../src/sessions/create-portal-session.ts'
import { revokePortalSession } from '../../src/sessions/revoke-portal-session.ts'
import { typeId } from '../../src/domain/type-id.ts'
import type { Database } from '../../src/db/database.ts'
import { retryDelivery } from '../../src/deliveries/retry-delivery.ts'
import { listSigningKeys } from '../../src/signing-keys/list-signing-keys.ts'
import { promoteSigningKey } from '../../src/signing-keys/promote-signing-key.ts'
import { stageSigningKey } from '../../src/signing-keys/stage-signing-key.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { deleteWebhook } from '../../src/webhooks/delete-webhook.ts'
import { listWebhooks } from '../../src/webhooks/list-webhooks.ts'
import { openTestDatabase, verbServers } from '../support/test-database.ts'
import { storeDelivery, storeEvent } from './stored-delivery.ts'
import { newAccount, refusal, uuidOf, verbContext, type VerbContext } from './verb-context.ts'

const url = 'https://hooks.example.com/mail'
const thirty = Array.from({ length: 30 })

describe.each(verbServers())('thirty at once on $name', backend => {
  let db: Database
  let ctx: VerbContext
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  test('of thirty endpoints created at once, only as many exist as the plan allows', async () => {
    const accountId = await newAccount(ctx, 7)
    const codes = await Promise.all(
      thirty.map(async () => await refusal(createWebhook(ctx, accountId, { url }))),
    )
    expect(count(codes, 'not refused')).toBe(7)
    expect(count(codes, 'endpoint_limit_reached')).toBe(23)
    expect((await listWebhooks(ctx, accountId, { limit: 50 })).data).toHaveLength(7)
  })

  test('the plan’s limit holds while endpoints are created and deleted at the same time', async () => {
    const accountId = await newAccount(ctx, 5)
    const first = await Promise.all(
      thirty.slice(0, 5).map(async () => await createWebhook(ctx, accountId, { url })),
    )
    await Promise.all([
      ...first.map(async made => await deleteWebhook(ctx, accountId, uuidOf('wh', made.id))),
      ...thirty.map(async () => await refusal(createWebhook(ctx, accountId, { url }))),
    ])
    expect((await listWebhooks(ctx, accountId, { limit: 50 })).data.length).toBeLessThanOrEqual(5)
  })

  test('at most two keys are staged, as v1s and v1s2', async () => {
    const { accountId, webhookId } = await newEndpoint()
    const codes = await Promise.all(
      thirty.map(async () => await refusal(stageSigningKey(ctx, accountId, webhookId))),
    )
    expect(count(codes, 'not refused')).toBe(2)
    expect(count(codes, 'staged_key_limit_reached')).toBe(28)
    expect(new Set((await keysOf(accountId, webhookId)).map(key => key.signature_name))).toEqual(
      new Set(['v1', 'v1s', 'v1s2']),
    )
  })

  test('there is exactly one primary key at every moment of simultaneous promotions', async () => {
    const { accountId, webhookId } = await newEndpoint()
    for (let round = 0; round < 5; round++) {
      const staged = [
        await stageSigningKey(ctx, accountId, webhookId),
        await stageSigningKey(ctx, accountId, webhookId),
      ]
      let running = true
      const watch = (async () => {
        while (running) expect(await countPrimaries(webhookId)).toBe(1)
      })()
      const codes = await Promise.all(
        thirty.map(async (_, i) => {
          const keyId = uuidOf('whk', staged[i % 2]?.key_id ?? '')
          return await refusal(promoteSigningKey(ctx, accountId, webhookId, keyId))
        }),
      )
      running = false
      await watch
      expect(count(codes, 'not refused')).toBe(2)
      expect(count(codes, 'signing_key_not_staged')).toBe(28)
      expect((await keysOf(accountId, webhookId)).filter(key => key.state === 'primary')).toHaveLength(1)
    }
  })

  test('staging and promoting during a deletion leave an endpoint without any secret', async () => {
    const { accountId, webhookId } = await newEndpoint()
    const staged = await stageSigningKey(ctx, accountId, webhookId)
    const codes = await Promise.all([
      ...thirty.map(async () => await refusal(stageSigningKey(ctx, accountId, webhookId))),
      refusal(promoteSigningKey(ctx, accountId, webhookId, uuidOf('whk', staged.key_id))),
      refusal(deleteWebhook(ctx, accountId, webhookId)),
    ])
    expect(codes.at(-1)).toBe('not refused')
    expect(
      await db.query('select id from signing_key where endpoint_id = $1 and secret_sealed is not null', [
        webhookId,
      ]),
    ).toEqual([])
  })

  test('endpoints and keys created while their account is deleted do not outlive it', async () => {
    const accountId = await newAccount(ctx, 100)
    await Promise.all([
      ...thirty.map(async () => await refusal(createWebhook(ctx, accountId, { url }))),
      ...thirty.map(async () => await refusal(createApiKey(ctx, accountId, { name: 'k', scopes: ['read'] }))),
      deleteAccount(ctx, accountId),
    ])
    const alive = await db.query(
      `select 1 as one from endpoint where account_id = $1 and deleted_at is null
       union all select 1 from api_key where account_id = $1 and revoked_at is null
       union all select 1 from signing_key where account_id = $1 and secret_sealed is not null`,
      [accountId],
    )
    expect(alive).toEqual([])
  })

  test('creating a key or an endpoint waits for a running deletion of the account, and then gets not_found', async () => {
    const attempts = [
      async (accountId: string) => await createApiKey(ctx, accountId, { name: 'k', scopes: ['read'] }),
      async (accountId: string) => await createWebhook(ctx, accountId, { url }),
    ]
    for (const attempt of attempts) {
      const accountId = await newAccount(ctx)
      let outcome: Promise<string> | undefined
      await db.transaction(async tx => {
        await deleteAccount({ ...ctx, db: tx }, accountId)
        outcome = refusal(attempt(accountId))
        await Promise.race([outcome, someoneWaits()])
      })
      expect(await outcome).toBe('not_found')
    }
  })

  test('of thirty keys created at once, only as many exist as a customer may have', async () => {
    const accountId = await newAccount(ctx)
    const own = await keyManager(accountId)
    for (let made = 1; made < 93; made++) await createApiKey(ctx, accountId, { name: 'k', scopes: ['read'] })
    const codes = await Promise.all(
      thirty.map(async () => await refusal(createOwnApiKey(own, accountId, { name: 'k', scopes: ['read'] }))),
    )
    expect([count(codes, 'not refused'), count(codes, 'api_key_limit_reached')]).toEqual([7, 23])
  })

  test('a key that is being revoked creates no key, even if its request began before', async () => {
    const accountId = await newAccount(ctx)
    const own = await keyManager(accountId)
    let creation: Promise<string> | undefined
    await db.transaction(async tx => {
      await revokeApiKey({ ...ctx, db: tx }, accountId, own.actor.apiKeyId)
      creation = refusal(createOwnApiKey(own, accountId, { name: 'k', scopes: ['read'] }))
      await someoneWaits()
    })
    expect(await creation).toBe('unauthorized')
    expect((await listApiKeys(ctx, accountId, { limit: 50 })).data).toHaveLength(1)
  })

  test('a portal session whose link is being revoked creates no key, even if its request began before', async () => {
    const accountId = await newAccount(ctx)
    const link = await createPortalSession(ctx, {
      account_id: typeId('acct', accountId),
      scopes: ['read', 'send', 'keys'],
      expires_in_seconds: 3_600,
      allowed_origins: [],
    })
    const portalSessionId = uuidOf('pses', link.id)
    const own = { ...ctx, actor: { kind: 'portal_session', portalSessionId, requestId: 'r' } as const }
    let creation: Promise<string> | undefined
    await db.transaction(async tx => {
      await revokePortalSession({ ...ctx, db: tx }, portalSessionId)
      creation = refusal(createOwnApiKey(own, accountId, { name: 'k', scopes: ['read'] }))
      await someoneWaits()
    })
    expect(await creation).toBe('unauthorized')
    expect((await listApiKeys(ctx, accountId, { limit: 50 })).data).toEqual([])
  })

  test('two keys that revoke each other do not wait for each other forever', async () => {
    for (let round = 0; round < 10; round++) {
      const accountId = await newAccount(ctx)
      const [one, two] = [await keyManager(accountId), await keyManager(accountId)]
      const codes = await Promise.all([
        refusal(revokeOwnApiKey(one, accountId, two.actor.apiKeyId)),
        refusal(revokeOwnApiKey(two, accountId, one.actor.apiKeyId)),
      ])
      // the first one has revoked the second one
      expect(codes.toSorted()).toEqual(['not refused', 'unauthorized'])
    }
  })

  test('of thirty simultaneous retries of a delivery, one is accepted', async () => {
    const { accountId, webhookId } = await newEndpoint()
    const event = await storeEvent(ctx, accountId, {})
    const deliveryId = await storeDelivery(ctx, accountId, webhookId, event, {
      state: 'delivered',
      attempts: 1,
    })
    const codes = await Promise.all(
      thirty.map(async () => await refusal(retryDelivery(ctx, accountId, deliveryId))),
    )
    expect(count(codes, 'not refused')).toBe(1)
    expect(count(codes, 'delivery_pending')).toBe(29)
  })

  /** The context of a new key that may manage the keys of its account. */
  async function keyManager(accountId: string) {
    const key = await createApiKey(ctx, accountId, { name: 'own', scopes: ['read', 'send', 'keys'] })
    return { ...ctx, actor: { kind: 'api_key', apiKeyId: uuidOf('key', key.id), requestId: 'r' } as const }
  }

  async function newEndpoint(): Promise<{ accountId: string; webhookId: string }> {
    const accountId = await newAccount(ctx)
    return { accountId, webhookId: uuidOf('wh', (await createWebhook(ctx, accountId, { url })).id) }
  }

  /** Resolves when a statement in this database waits for a lock. */
  async function someoneWaits(): Promise<void> {
    for (;;) {
      const rows = await db.query(
        `select 1 as one from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      if (rows.length > 0) return
    }
  }

  async function keysOf(accountId: string, webhookId: string) {
    return (await listSigningKeys(ctx, accountId, webhookId, { limit: 50 })).data
  }

  async function countPrimaries(webhookId: string): Promise<number> {
    const rows = await db.query(`select id from signing_key where endpoint_id = $1 and state = 'primary'`, [
      webhookId,
    ])
    return rows.length
  }
})

function count(codes: readonly string[], code: string): number {
  return codes.filter(one => one === code).length
}
