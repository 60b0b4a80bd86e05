import { hash } from 'node:crypto'
import type { Operator, OperatorCreate, OperatorCreated } from '@posthorn/contract'
import { refusePast } from '../api-keys/refuse-past.ts'
import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { operatorId } from '../domain/operator-id.ts'
import { makeOperatorToken } from '../domain/operator-token.ts'
import { AppError } from '../errors.ts'
import { newId } from '../new-id.ts'
import { operatorColumns, type OperatorRow, toOperator } from './row.ts'

/**
 * Creates a named token. Only this answer contains it, because the database stores its SHA-256.
 * @throws AppError `operator_exists`, `validation_failed`
 */
export async function createOperator(ctx: Ctx, input: OperatorCreate): Promise<OperatorCreated> {
  refusePast(ctx, 'expires_at', input.expires_at ?? null)
  const token = makeOperatorToken(length => ctx.random.bytes(length))
  return await ctx.db.transaction(async tx => {
    const after = await insertOperator({ ...ctx, db: tx }, input, token)
    const change = { action: 'operator.created', target: after.id, before: null, after } as const
    await recordChange({ ...ctx, db: tx }, { accountId: operatorId, ...change })
    return { ...after, token }
  })
}

async function insertOperator(ctx: Ctx, input: OperatorCreate, token: string): Promise<Operator> {
  const [row] = await ctx.db.query<OperatorRow>(
    `insert into operator_token as o (id, name, role, hash, created_at, expires_at)
     values ($1, $2, $3, $4, $5::timestamptz, $6::timestamptz)
     on conflict (name) do nothing
     returning ${operatorColumns}`,
    [
      newId(ctx),
      input.name,
      input.role,
      operatorTokenDigest(token),
      new Date(ctx.clock.nowMs()).toISOString(),
      input.expires_at ?? null,
    ],
  )
  if (row !== undefined) return toOperator(row)
  throw new AppError(
    'operator_exists',
    `The name ${input.name} is taken. Choose another name, or remove that token first.`,
  )
}

/** The hash that identifies a token in the database. A token has 256 random bits, so a slow hash would not add security. */
function operatorTokenDigest(token: string): Uint8Array {
  return hash('sha256', token, 'buffer')
}
