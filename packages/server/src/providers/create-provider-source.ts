import { hash } from 'node:crypto'
import type { ProviderSourceCreate, ProviderSourceCreated } from '@posthorn/contract'
import { accountNotFound } from '../accounts/account-not-found.ts'
import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { accountCode } from '../domain/account-code.ts'
import { makeSourceToken } from '../domain/source-token.ts'
import { AppError } from '../errors.ts'
import { newId } from '../new-id.ts'
import { providers } from './providers.ts'
import { type ProviderSourceRow, providerSourceColumns, toProviderSource } from './row.ts'

/**
 * Creates a URL at which a mail provider reports for an account. Only this answer contains the URL, because the database
 * stores the SHA-256 of its token.
 *
 * @throws AppError `validation_failed` if the provider cannot have such a key
 */
export async function createProviderSource(
  ctx: Ctx,
  accountId: string,
  input: ProviderSourceCreate,
): Promise<ProviderSourceCreated> {
  const key = input.key.trim()
  const flaw = providers[input.kind].keyFlaw(key)
  if (flaw !== null) {
    throw new AppError('validation_failed', `/key: ${flaw}.`, [{ path: '/key', message: flaw }])
  }
  const token = makeSourceToken(accountCode(accountId), length => ctx.random.bytes(length))
  const id = newId(ctx)
  return await ctx.db.transaction(async tx => {
    const [row] = await tx.query<ProviderSourceRow>(
      // the share lock waits for a concurrent deletion, so that no source outlives its account
      `with owner as (select id from account where id = $1 and deleted_at is null for share)
       insert into provider_source as s (account_id, id, kind, token_hash, key_sealed)
       select owner.id, $2, $3, $4, $5 from owner
       returning ${providerSourceColumns}`,
      [
        accountId,
        id,
        input.kind,
        sourceTokenHash(token),
        ctx.seal.seal('source_key', { accountId, keyId: id }, Buffer.from(key)),
      ],
    )
    if (row === undefined) throw accountNotFound()
    const after = toProviderSource(row)
    const change = { action: 'source.created', target: after.id, before: null, after } as const
    await recordChange({ ...ctx, db: tx }, { accountId, ...change })
    return { ...after, report_url: `${ctx.outside.publicUrl()}/v1/sources/${input.kind}?token=${token}` }
  })
}

/** The hash that identifies a token in the database. A token has 220 random bits, so a slow hash would not add security. */
export function sourceTokenHash(token: string): Uint8Array {
  return hash('sha256', token, 'buffer')
}
