import { hash } from 'node:crypto'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { operatorId } from '../domain/operator-id.ts'
import { AppError } from '../errors.ts'
import type { OnceAnswer, OnceRequest, OnceResult } from './once-request.ts'

/** How long a key is stored. */
export const keptMs = 24 * 60 * 60 * 1000

/** Two requests with the same digest are the same request. */
export function digestOf({ method, path, body }: OnceRequest): Uint8Array {
  const head = Buffer.from(`${method} ${path}\n`)
  return hash('sha256', Buffer.concat([head, body]), 'buffer')
}

/** True if the key was free or expired; it then belongs to this transaction. */
export async function takeKey(
  tx: Queryable,
  ctx: Ctx,
  request: OnceRequest,
  digest: Uint8Array,
  waitMsMax: number,
): Promise<boolean> {
  const nowMs = ctx.clock.nowMs()
  await tx.query(`select set_config('lock_timeout', $1, true)`, [`${waitMsMax}ms`])
  try {
    const rows = await tx.query(
      // one statement, because after a separate delete another request could insert the key. It waits at the unique index
      // for a transaction that has inserted the same key
      `insert into idempotency_key as k (account_id, key, request_digest, created_at)
       values ($1, $2, $3, $4::timestamptz)
       on conflict (account_id, key) do update
         set request_digest = excluded.request_digest, created_at = excluded.created_at, status = null, response = null
         -- if the clock jumped, no key expires, because its request would run twice
         where k.created_at <= $5::timestamptz and is_clock_trusted()
       returning 1 as taken`,
      [
        request.accountId ?? operatorId,
        request.key,
        digest,
        new Date(nowMs).toISOString(),
        new Date(nowMs - keptMs).toISOString(),
      ],
    )
    // the timeout must not apply to the work
    await tx.query('set local lock_timeout to default')
    return rows.length > 0
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    throw keyInUse()
  }
}

/** The error while an earlier request with the key is still running. */
export function keyInUse(): AppError {
  return new AppError(
    'idempotency_key_in_use',
    'An earlier request with this Idempotency-Key is still running. Repeat this request later to get its answer.',
  )
}

/** The answer to the first request, if this request is the same. */
export async function keptAnswer(
  tx: Queryable,
  ctx: Ctx,
  request: OnceRequest,
  digest: Uint8Array,
): Promise<OnceResult> {
  const [row] = await tx.query<{
    request_digest: Uint8Array
    status: number
    response: string
    created_at: Date
  }>(
    'select request_digest, status, response, created_at from idempotency_key where account_id = $1 and key = $2',
    [request.accountId ?? operatorId, request.key],
  )
  if (row === undefined || Buffer.compare(row.request_digest, digest) !== 0) {
    throw new AppError(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request in the last 24 hours. Use a new key for a new request.',
    )
  }
  return {
    answer: { status: row.status, body: JSON.parse(row.response) as object },
    replayedAfterMs: ctx.clock.nowMs() - row.created_at.getTime(),
  }
}

/** Stores the answer in the transaction of its effect. */
export async function keepAnswer(
  tx: Queryable,
  request: OnceRequest,
  { status, body }: OnceAnswer,
): Promise<void> {
  await tx.query('update idempotency_key set status = $3, response = $4 where account_id = $1 and key = $2', [
    request.accountId ?? operatorId,
    request.key,
    status,
    JSON.stringify(withoutSecrets(body)),
  ])
}

/** Replaces secrets by null, because Posthorn shows a secret only once. */
function withoutSecrets(body: object): object {
  return {
    ...body,
    ...('secret' in body && { secret: null }),
    ...('api_key' in body && { api_key: null }),
    ...('token' in body && { token: null }),
    ...('report_url' in body && { report_url: null }),
    // a portal link contains its secret; the URL of an endpoint is not secret
    ...('url' in body && 'exchanged_at' in body && { url: null }),
  }
}

/** SQLSTATE 55P03, lock_not_available. */
function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}
