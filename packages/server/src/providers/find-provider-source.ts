import type { ProviderKind } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { isSourceToken } from '../domain/source-token.ts'
import { accountMoving, AppError } from '../errors.ts'
import { sourceTokenHash } from './create-provider-source.ts'

/** A source with its key. */
export interface FoundProviderSource {
  /** UUIDs. */
  readonly accountId: string
  readonly id: string
  readonly kind: ProviderKind
  readonly key: string
}

/**
 * Finds the source that a token belongs to.
 *
 * @throws AppError `unauthorized`, or `account_moving` if the account is not here because of a move
 */
export async function findProviderSource(
  ctx: Pick<Ctx, 'db' | 'seal'>,
  kind: ProviderKind,
  token: unknown,
): Promise<FoundProviderSource> {
  if (typeof token !== 'string' || !isSourceToken(token)) throw unknownToken()
  const [row] = await ctx.db.query<FoundRow>(
    // the timing of an index lookup by hash reveals nothing about the token
    `select s.account_id, s.id, s.key_sealed, a.id is null as is_away
     from provider_source s left join account a on a.id = s.account_id
     where s.token_hash = $1 and s.kind = $2 and a.deleted_at is null
       and (a.id is not null or exists (select from account_move m where m.account_id = s.account_id))`,
    [sourceTokenHash(token), kind],
  )
  if (row === undefined) throw unknownToken()
  if (row.is_away) throw accountMoving()
  const { account_id: accountId, id } = row
  const key = ctx.seal.open('source_key', { accountId, keyId: id }, row.key_sealed)
  return { accountId, id, kind, key: Buffer.from(key).toString() }
}

interface FoundRow {
  account_id: string
  id: string
  key_sealed: Uint8Array
  is_away: boolean
}

function unknownToken(): AppError {
  return new AppError(
    'unauthorized',
    'The URL of the webhook needs the token that Posthorn showed when the source was created.',
  )
}
