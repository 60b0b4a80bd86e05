import { hash } from 'node:crypto'
import type { ApiKey, ApiKeyCreate, ApiKeyCreated } from '@posthorn/contract'
import { accountNotFound } from '../accounts/account-not-found.ts'
import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { accountCode } from '../domain/account-code.ts'
import { apiKeyPrefix, makeApiKey } from '../domain/api-key.ts'
import { newId } from '../new-id.ts'
import { refusePast } from './refuse-past.ts'
import { type ApiKeyRow, apiKeyColumns, toApiKey } from './row.ts'

/** Creates a key for an account. Only this answer contains the key, because the database stores its SHA-256. */
export async function createApiKey(ctx: Ctx, accountId: string, input: ApiKeyCreate): Promise<ApiKeyCreated> {
  refusePast(ctx, 'expires_at', input.expires_at ?? null)
  const key = makeApiKey(accountCode(accountId), length => ctx.random.bytes(length))
  return await ctx.db.transaction(async tx => {
    const after = await insertKey({ ...ctx, db: tx }, accountId, input, key)
    const change = { action: 'api_key.created', target: after.id, before: null, after } as const
    await recordChange({ ...ctx, db: tx }, { accountId, ...change })
    return { ...after, api_key: key }
  })
}

async function insertKey(ctx: Ctx, accountId: string, input: ApiKeyCreate, key: string): Promise<ApiKey> {
  const { actor } = ctx
  const [row] = await ctx.db.query<ApiKeyRow>(
    // the share lock waits for a concurrent deletion, so that no key outlives its account
    `with owner as (select id from account where id = $1 and deleted_at is null for share)
     insert into api_key as k (account_id, id, name, scopes, prefix, hash, expires_at, created_by_key,
                               created_by_portal_session)
     select owner.id, $2, $3, $4::text[], $5, $6, $7::timestamptz, $8::uuid, $9::uuid from owner
     returning ${apiKeyColumns}`,
    [
      accountId,
      newId(ctx),
      input.name,
      input.scopes,
      apiKeyPrefix(key),
      apiKeyDigest(key),
      input.expires_at ?? null,
      actor.kind === 'api_key' ? actor.apiKeyId : null,
      actor.kind === 'portal_session' ? actor.portalSessionId : null,
    ],
  )
  if (row === undefined) throw accountNotFound()
  return toApiKey(row)
}

/** The hash that identifies a key in the database. A key has 142 random bits, so a slow hash would not add security. */
export function apiKeyDigest(key: string): Uint8Array {
  return hash('sha256', key, 'buffer')
}
