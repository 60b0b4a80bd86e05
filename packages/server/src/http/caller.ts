import type { Auth, Scope } from '@posthorn/contract'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../context.ts'
import { AppError } from '../errors.ts'
import type { LiveSession } from '../sessions/find-session.ts'

/** Who makes a request, with a credential or signed in with one. */
export type Caller = Operator | KeyHolder | PortalGuest

export interface Operator {
  readonly kind: 'operator'
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

/** Came by a portal link. */
export interface PortalGuest {
  readonly kind: 'portal'
  /** UUIDs. */
  readonly accountId: string
  readonly portalSessionId: string
  readonly scopes: readonly Scope[]
  readonly session: CallerSession
}

/** The session by which a caller is known. */
export interface CallerSession {
  readonly live: LiveSession
  readonly token: string
  /** A cookie, which browsers send by themselves. */
  readonly isCookie: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before a handler runs, except on public routes. */
    caller: Caller | null
  }
}

/** The account to which a caller belongs, as a UUID; null for the operator. */
export function accountOf(caller: Caller): string | null {
  return caller.kind === 'operator' ? null : caller.accountId
}

/**
 * Refuses a caller who may not use an operation. No scope implies another, and the operator has no part in what
 * belongs to customers.
 */
export function checkAccess(auth: Exclude<Auth, 'public'>, caller: Caller): void {
  switch (auth) {
    case 'session':
      if (caller.session !== undefined) return
      throw new AppError('insufficient_scope', 'This is about a session, and this request has none.')
    case 'operator':
      if (caller.kind === 'operator') return
      throw new AppError('insufficient_scope', 'Only the operator may do this, not a customer.')
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
  switch (caller?.kind) {
    case undefined:
      return { kind: 'system', requestId: null }
    case 'operator':
      return { kind: 'operator', requestId }
    case 'key':
      return { kind: 'api_key', apiKeyId: caller.keyId, requestId }
    case 'portal':
      return { kind: 'portal_session', portalSessionId: caller.portalSessionId, requestId }
  }
}

function needsScope(scope: Scope): AppError {
  return new AppError(
    'insufficient_scope',
    `This needs an API key with the scope ${scope}. The operator makes keys.`,
  )
}
