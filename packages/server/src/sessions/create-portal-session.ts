import type { PortalSession, PortalSessionCreate, PortalSessionCreated } from '@posthorn/contract'
import { accountNotFound } from '../accounts/account-not-found.ts'
import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { accountCode, withCode } from '../domain/account-code.ts'
import { makePortalLinkToken } from '../domain/session-token.ts'
import { parseTypeId } from '../domain/type-id.ts'
import { newId } from '../new-id.ts'
import { refusePast } from '../api-keys/refuse-past.ts'
import { sessionTokenHash } from './insert-session.ts'
import { type PortalSessionRow, portalSessionColumns, toPortalSession } from './portal-session-row.ts'

/**
 * Creates a link to the dashboard of one account. Only `url` in this answer contains the secret. The secret is in the
 * fragment, so browsers do not send it to servers.
 */
export async function createPortalSession(
  ctx: Ctx,
  input: PortalSessionCreate,
): Promise<PortalSessionCreated> {
  const accountId = parseTypeId('acct', input.account_id)
  if (accountId === null) throw accountNotFound()
  refusePast(ctx, 'keys_expire_by', input.keys_expire_by ?? null)
  const token = makePortalLinkToken(accountCode(accountId), length => ctx.random.bytes(length))
  return await ctx.db.transaction(async tx => {
    const after = await insertPortalSession({ ...ctx, db: tx }, accountId, input, token)
    const change = { action: 'portal_session.created', target: after.id, before: null, after } as const
    await recordChange({ ...ctx, db: tx }, { accountId, ...change })
    return { ...after, url: `${ctx.outside.publicUrl()}/portal/${after.id}#${token}` }
  })
}

async function insertPortalSession(
  ctx: Ctx,
  accountId: string,
  input: PortalSessionCreate,
  token: string,
): Promise<PortalSession> {
  const nowMs = ctx.clock.nowMs()
  const expiresAt = new Date(nowMs + input.expires_in_seconds * 1_000).toISOString()
  const [row] = await ctx.db.query<PortalSessionRow>(
    // the share lock waits for a concurrent deletion of the account
    `with owner as (select id from account where id = $1 and deleted_at is null for share)
     insert into portal_session as p (account_id, id, name, logo_url, scopes, allowed_origins, link_hash,
                                      created_at, expires_at, keys_expire_by)
     select owner.id, $2, $3, $4, $5::text[], $6::text[], $7, $8::timestamptz, $9::timestamptz, $10::timestamptz
     from owner
     returning ${portalSessionColumns}`,
    [
      accountId,
      withCode(newId(ctx), accountCode(accountId)),
      input.name ?? null,
      input.logo_url ?? null,
      input.scopes,
      input.allowed_origins,
      sessionTokenHash(token),
      new Date(nowMs).toISOString(),
      expiresAt,
      input.keys_expire_by === undefined ? expiresAt : input.keys_expire_by,
    ],
  )
  if (row === undefined) throw accountNotFound()
  return toPortalSession(row)
}
