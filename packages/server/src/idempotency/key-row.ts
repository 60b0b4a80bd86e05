import { hash } from 'node:crypto'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { operatorId } from '../domain/operator-id.ts'
import { AppError } from '../errors.ts'
import type { OnceAnswer, OnceRequest, OnceResult } from './once-request.ts'

/** For this long a key stands for its request. */
export const keptMs = 24 * 60 * 60 * 1000

/** Two requests with one digest are the same request. */
export function digestOf({ method, path, body }: OnceRequest): Uint8Array {
  const head = Buffer.from(`${method} ${path}\n`)
  return hash('sha256', Buffer.concat([head, body]), 'buffer')
}

/** True when the key was free or forgotten; it is this transaction's from now on. */
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
      // one statement, because a row that is deleted first leaves a gap for others to insert into; it waits at the
      // unique index for a transaction that has inserted the same key
      `insert into idempotency_key as k (account_id, key, request_digest, created_at)
       values ($1, $2, $3, $4::timestamptz)
       on conflict (account_id, key) do update
         set request_digest = excluded.request_digest, created_at = excluded.created_at, status = null, response = null
         -- no key expires by a clock that jumped: its request would be run twice
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
    // what the work waits for is its own affair
    await tx.query('set local lock_timeout to default')
    return rows.length > 0
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    throw keyInUse()
  }
}

/** The refusal of a request whose twin has not come to an end. */
export function keyInUse(): AppError {
  return new AppError(
    'idempotency_key_in_use',
    'An earlier request with this Idempotency-Key is still running. Repeat this one later for its answer.',
  )
}

/** What the first request was answered, provided that this one is the same. */
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
      'This Idempotency-Key stood for another request in the last 24 hours. Use a new key for a new request.',
    )
  }
  return {
    answer: { status: row.status, body: JSON.parse(row.response) as object },
    replayedAfterMs: ctx.clock.nowMs() - row.created_at.getTime(),
  }
}

/** Stores the answer beside its effect. */
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

/** A secret is shown once: what is kept has null in its place. */
function withoutSecrets(body: object): object {
  return {
    ...body,
    ...('secret' in body && { secret: null }),
    ...('api_key' in body && { api_key: null }),
    // a portal link ends in its secret; an endpoint's URL is none
    ...('url' in body && 'exchanged_at' in body && { url: null }),
  }
}

/** SQLSTATE 55P03, lock_not_available. */
function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}
