import type { Auth, Scope } from '@posthorn/contract'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../context.ts'
import { AppError } from '../errors.ts'

/** Who makes a request. */
export type Caller = Operator | KeyHolder

interface Operator {
  readonly kind: 'operator'
}

export interface KeyHolder {
  readonly kind: 'key'
  /** UUIDs. */
  readonly accountId: string
  readonly keyId: string
  readonly scopes: readonly Scope[]
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before a handler runs, except on public routes. */
    caller: Caller | null
  }
}

/**
 * Refuses a caller who may not use an operation. No scope implies another, and the operator has no part in what
 * belongs to customers.
 */
export function checkAccess(auth: Exclude<Auth, 'public'>, caller: Caller): void {
  switch (auth) {
    case 'operator':
      if (caller.kind === 'operator') return
      throw new AppError('insufficient_scope', 'Only the operator token may do this, not an API key.')
    case 'operator_or_ingest':
      if (caller.kind === 'operator' || caller.scopes.includes('ingest')) return
      throw needsScope('ingest')
    case 'operator_or_read':
      if (caller.kind === 'operator' || caller.scopes.includes('read')) return
      throw needsScope('read')
    case 'operator_or_send':
      if (caller.kind === 'operator' || caller.scopes.includes('send')) return
      throw needsScope('send')
    case 'read':
    case 'send':
    case 'ingest':
      if (caller.kind === 'operator') {
        throw new AppError(
          'insufficient_scope',
          'The operator token has no access to an account; use an API key of it.',
        )
      }
      if (!caller.scopes.includes(auth)) throw needsScope(auth)
  }
}

/** Who acts, as the audit log names them. */
export function actorOf({ caller, id: requestId }: FastifyRequest): Actor {
  if (caller === null) return { kind: 'system', requestId: null }
  if (caller.kind === 'operator') return { kind: 'operator', requestId }
  return { kind: 'api_key', apiKeyId: caller.keyId, requestId }
}

function needsScope(scope: Scope): AppError {
  return new AppError(
    'insufficient_scope',
    `This needs an API key with the scope ${scope}. The operator makes keys.`,
  )
}
