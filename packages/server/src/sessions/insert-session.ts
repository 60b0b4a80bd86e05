import { hash } from 'node:crypto'
import type { SessionKind } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import type { OperatorPerson } from '../domain/operator-person.ts'

export interface NewSession {
  readonly kind: SessionKind
  readonly accountId: string
  readonly id: string
  readonly token: string
  /** Whether the token is a bearer token or a cookie. */
  readonly bearer: boolean
  readonly apiKeyId?: string
  readonly operator?: OperatorPerson & { readonly tokenId: string | null }
  readonly operatorProof?: Uint8Array
  readonly expiresAtMs: number
}

/** Stores a session with the hash of its token. It expires with its API key at the latest. */
export async function insertSession(ctx: Pick<Ctx, 'db' | 'clock'>, session: NewSession): Promise<void> {
  await ctx.db.query(
    `insert into session (account_id, id, kind, token_hash, bearer, api_key_id, operator_token_id,
                          operator_name, operator_method, operator_role, operator_proof, created_at, last_seen_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::timestamptz, $12::timestamptz,
             least($13::timestamptz, (select k.expires_at from api_key k where k.account_id = $1 and k.id = $6::uuid)))`,
    [
      session.accountId,
      session.id,
      session.kind,
      sessionTokenHash(session.token),
      session.bearer,
      session.apiKeyId ?? null,
      session.operator?.tokenId ?? null,
      session.operator?.name ?? null,
      session.operator?.method ?? null,
      session.operator?.role ?? null,
      session.operatorProof ?? null,
      new Date(ctx.clock.nowMs()).toISOString(),
      new Date(session.expiresAtMs).toISOString(),
    ],
  )
}

/** The hash that identifies a token in the database. A token has 222 random bits, so a slow hash would not add security. */
export function sessionTokenHash(token: string): Uint8Array {
  return hash('sha256', token, 'buffer')
}
