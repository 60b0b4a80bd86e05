import type { Auth, OperatorRole, Route, Scope } from '@posthorn/contract'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../context.ts'
import { AppError } from '../errors.ts'
import { adminOperator, type OperatorPerson } from '../domain/operator-person.ts'
import type { LiveSession } from '../sessions/find-session.ts'

/** Who sends a request, with a credential or a session. */
export type Caller = Operator | KeyHolder | PortalGuest

export interface Operator extends OperatorPerson {
  readonly kind: 'operator'
  /** The UUID of the named token; null with another method. */
  readonly tokenId: string | null
  readonly session?: CallerSession
}

export interface KeyHolder {
  readonly kind: 'key'
  /** UUIDs. */
  readonly accountId: string
  readonly keyId: string
  readonly scopes: readonly Scope[]
  readonly session?: CallerSession
}

/** A customer who opened a portal link. */
export interface PortalGuest {
  readonly kind: 'portal'
  /** UUIDs. */
  readonly accountId: string
  readonly portalSessionId: string
  readonly scopes: readonly Scope[]
  readonly session: CallerSession
}

/** The owner of the operator token in the configuration. */
export const adminCaller: Operator = { kind: 'operator', tokenId: null, ...adminOperator }

/** The session of a caller. */
export interface CallerSession {
  readonly live: LiveSession
  readonly token: string
  /** Browsers send a cookie on their own, so it needs a CSRF check. */
  readonly isCookie: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before a handler runs, except on public routes. */
    caller: Caller | null
  }
}

/** The account of a caller as a UUID, or null for the operator. */
export function accountOf(caller: Caller): string | null {
  return caller.kind === 'operator' ? null : caller.accountId
}

/**
 * Refuses a caller who may not use an operation. No scope includes another, and the operator cannot use customer
 * operations.
 */
export function checkAccess({ auth, role }: Pick<Route, 'auth' | 'role'>, caller: Caller): void {
  checkScopes(auth, caller)
  if (auth !== 'public' && auth !== 'session' && caller.kind === 'operator') checkRole(role, caller)
}

function checkScopes(auth: Auth, caller: Caller): void {
  switch (auth) {
    case 'public':
      return
    case 'session':
      if (caller.session !== undefined) return
      throw new AppError(
        'insufficient_scope',
        'This operation needs a session, and the request has none. Sign in first.',
      )
    case 'operator':
      if (caller.kind === 'operator') return
      throw new AppError(
        'insufficient_scope',
        'Only the operator may use this operation. Send the operator token.',
      )
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
      needScopes(caller, [auth])
      return
    case 'send_and_keys':
      needScopes(caller, ['send', 'keys'])
  }
}

/**
 * Refuses an operator whose role does not suffice. An operation that names no role needs `change`.
 * @throws AppError `insufficient_role`
 */
export function checkRole(needed: OperatorRole | undefined, { name, role }: OperatorPerson): void {
  if (role === 'change' || needed === 'view') return
  throw new AppError(
    'insufficient_role',
    `${name} has the role view and cannot use this operation. Ask an operator with the role change.`,
  )
}

function needScopes(caller: Caller, needed: readonly Scope[]): void {
  if (caller.kind === 'operator') {
    throw new AppError(
      'insufficient_scope',
      'An operator has no access to the data of an account. Use an API key of the account.',
    )
  }
  if (!needed.every(scope => caller.scopes.includes(scope))) throw needsScope(...needed)
}

/** The caller as the audit log names them. */
export function actorOf({ caller, id: requestId }: FastifyRequest): Actor {
  switch (caller?.kind) {
    case undefined:
      return { kind: 'system', requestId: null }
    case 'operator':
      return { kind: 'operator', name: caller.name, method: caller.method, requestId }
    case 'key':
      return { kind: 'api_key', apiKeyId: caller.keyId, requestId }
    case 'portal':
      return { kind: 'portal_session', portalSessionId: caller.portalSessionId, requestId }
  }
}

function needsScope(...needed: Scope[]): AppError {
  const scopes = needed.length === 1 ? `scope ${needed[0]}` : `scopes ${needed.join(' and ')}`
  return new AppError(
    'insufficient_scope',
    `This operation needs an API key with the ${scopes}. Ask the operator for one.`,
  )
}
