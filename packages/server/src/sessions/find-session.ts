import type { OperatorMethod, OperatorRole, Scope, SessionKind } from '@posthorn/contract'
import { accountMoving } from '../errors.ts'
import type { Ctx } from '../context.ts'
import { idleEndMs } from '../domain/session-limits.ts'
import type { OperatorPerson } from '../domain/operator-person.ts'
import { sessionTokenHash } from './insert-session.ts'
import { isOperatorProof } from './operator-proof.ts'

/** A valid session with its scopes. */
export interface LiveSession {
  readonly kind: SessionKind
  /** UUIDs. */
  readonly accountId: string
  readonly id: string
  readonly apiKeyId: string | null
  readonly scopes: readonly Scope[]
  /** The latest expiry of API keys that the session creates. Null if they need not expire. */
  readonly keysExpireBy: Date | null
  readonly name: string
  /** Null for customers. */
  readonly operator: (OperatorPerson & { readonly tokenId: string | null }) | null
  readonly account: { readonly name: string; readonly maxEndpoints: number } | null
  readonly portal: {
    readonly name: string | null
    readonly logoUrl: string | null
    readonly allowedOrigins: readonly string[]
  } | null
  readonly expiresAt: Date
  readonly idleExpiresAt: Date
}

const seenEveryMs = 60_000

/**
 * Finds the session with this token and records its use. Undefined if there is none, or if it has expired or was idle for
 * too long. Also undefined if its API key, portal link, account or operator token is no longer valid.
 * @param bearer whether the token came as a bearer token; a cookie's token does not work as one, nor the reverse
 * @throws AppError `account_moving` if the account is not here because of a move
 */
export async function findSession(
  ctx: Pick<Ctx, 'db' | 'clock'>,
  { token, bearer }: { token: string; bearer: boolean },
  operatorToken: string,
): Promise<LiveSession | undefined> {
  const nowMs = ctx.clock.nowMs()
  const [row] = await ctx.db.query<SessionRow>(
    // the timing of an index lookup by hash reveals nothing about the token
    `select s.kind, s.account_id, s.id, s.api_key_id, s.operator_token_id, s.operator_method,
            s.operator_proof, s.last_seen_at, s.expires_at, coalesce(o.name, s.operator_name) as operator_name,
            coalesce(o.role, s.operator_role) as operator_role, o.id is not null as has_operator_token,
            a.name as account_name, a.max_endpoints, k.name as key_name, coalesce(k.scopes, p.scopes) as scopes,
            case when s.kind = 'portal' then p.keys_expire_by else k.expires_at end as keys_expire_by,
            p.name as portal_name, p.logo_url, p.allowed_origins,
            a.id is null and not exists (select from account g where g.id = s.account_id)
              and exists (select from account_move m where m.account_id = s.account_id) as is_away
     from session s
     left join account a on a.id = s.account_id and a.deleted_at is null
     left join api_key k on k.account_id = s.account_id and k.id = s.api_key_id
       and k.revoked_at is null and (k.expires_at is null or k.expires_at > $3::timestamptz)
     left join operator_token o on o.id = s.operator_token_id and (o.expires_at is null or o.expires_at > $3::timestamptz)
     left join portal_session p on p.account_id = s.account_id and p.id = s.id and p.revoked_at is null
     where s.token_hash = $1 and s.bearer = $2`,
    [sessionTokenHash(token), bearer, new Date(nowMs).toISOString()],
  )
  if (row === undefined || !isWithinLimits(row, nowMs)) return undefined
  if (row.is_away) throw accountMoving()
  const found = asOpened(row, token, operatorToken)
  if (found === undefined) return undefined
  const seenAt = await noteUse(ctx, row, nowMs)
  const limits = { lastSeenAt: seenAt, expiresAt: row.expires_at }
  return { ...found, expiresAt: row.expires_at, idleExpiresAt: new Date(idleEndMs(row.kind, limits)) }
}

interface SessionRow {
  kind: SessionKind
  account_id: string
  id: string
  api_key_id: string | null
  operator_token_id: string | null
  operator_method: OperatorMethod | null
  operator_proof: Uint8Array | null
  operator_name: string | null
  operator_role: OperatorRole | null
  has_operator_token: boolean
  last_seen_at: Date
  expires_at: Date
  account_name: string | null
  max_endpoints: number | null
  key_name: string | null
  scopes: Scope[] | null
  keys_expire_by: Date | null
  portal_name: string | null
  logo_url: string | null
  allowed_origins: string[] | null
  is_away: boolean
}

function isWithinLimits(row: SessionRow, nowMs: number): boolean {
  return nowMs < idleEndMs(row.kind, { lastSeenAt: row.last_seen_at, expiresAt: row.expires_at })
}

/** The session with its owner; undefined if its credential is no longer valid. */
function asOpened(
  row: SessionRow,
  token: string,
  operatorToken: string,
): Omit<LiveSession, 'expiresAt' | 'idleExpiresAt'> | undefined {
  const ids = { kind: row.kind, accountId: row.account_id, id: row.id, apiKeyId: row.api_key_id }
  if (row.kind === 'operator') {
    const operator = operatorOf(row, token, operatorToken)
    if (operator === undefined) return undefined
    return {
      ...ids,
      scopes: [],
      keysExpireBy: null,
      name: operator.name,
      operator,
      account: null,
      portal: null,
    }
  }
  if (row.account_name === null || row.max_endpoints === null || row.scopes === null) return undefined
  const account = { name: row.account_name, maxEndpoints: row.max_endpoints }
  const portal =
    row.allowed_origins === null
      ? null
      : { name: row.portal_name, logoUrl: row.logo_url, allowedOrigins: row.allowed_origins }
  const name = row.key_name ?? row.portal_name ?? row.account_name
  const keysExpireBy = row.keys_expire_by
  return { ...ids, scopes: row.scopes, keysExpireBy, name, operator: null, account, portal }
}

/** The operator of a session; undefined if their credential is no longer valid. */
function operatorOf(
  row: SessionRow,
  token: string,
  operatorToken: string,
): NonNullable<LiveSession['operator']> | undefined {
  const { operator_name: name, operator_method: method, operator_role: role, operator_proof: proof } = row
  if (name === null || method === null || role === null) return undefined
  // the request proves what a proxy says, and the lists say who may use a session that an OpenID provider opened
  const isValid =
    method === 'proxy' ||
    method === 'oidc' ||
    (method === 'token'
      ? row.has_operator_token
      : proof !== null && isOperatorProof(proof, token, operatorToken))
  return isValid ? { name, method, role, tokenId: row.operator_token_id } : undefined
}

/** Writes at most once a minute, because an open page sends a request every few seconds. */
async function noteUse(ctx: Pick<Ctx, 'db'>, row: SessionRow, nowMs: number): Promise<Date> {
  if (nowMs - row.last_seen_at.getTime() < seenEveryMs) return row.last_seen_at
  const seenAt = new Date(nowMs)
  await ctx.db.query(
    'update session set last_seen_at = greatest(last_seen_at, $3::timestamptz) where account_id = $1 and id = $2',
    [row.account_id, row.id, seenAt.toISOString()],
  )
  return seenAt
}
