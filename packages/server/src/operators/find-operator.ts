import type { OperatorRole } from '@posthorn/contract'
import type { Ctx } from '../context.ts'

/** The owner of a named token. The caller checks the expiry, so that its error can name the cause. */
export interface FoundOperator {
  readonly tokenId: string
  readonly name: string
  readonly role: OperatorRole
  readonly expiresAt: Date | null
}

/** Finds the named token with this SHA-256. */
export async function findOperator(
  ctx: Pick<Ctx, 'db'>,
  digest: Uint8Array,
): Promise<FoundOperator | undefined> {
  const [row] = await ctx.db.query<FoundOperator>(
    // the timing of an index lookup by hash reveals nothing about the token
    `select o.id as "tokenId", o.name, o.role, o.expires_at as "expiresAt"
     from operator_token o where o.hash = $1`,
    [digest],
  )
  return row
}
