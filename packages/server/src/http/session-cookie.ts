import type { FastifyRequest } from 'fastify'
import { isSessionToken } from '../domain/session-token.ts'
import { isLoopbackHost, type OwnAddress } from './own-address.ts'

const secureName = '__Host-posthorn'

/** Safari rejects `Secure` cookies from `http://127.0.0.1`, so the name cannot have the `__Host-` prefix there. */
const loopbackName = 'posthorn'

const attributes = 'Path=/; HttpOnly; SameSite=Strict'

/** Sets a cookie that the browser sends only to this host. Scripts and other sites cannot use it. */
export function sessionCookie({ isSecure }: OwnAddress, token: string, maxAgeSeconds: number): string {
  const lifetime = `${attributes}; Max-Age=${Math.max(0, Math.floor(maxAgeSeconds))}`
  return isSecure ? `${secureName}=${token}; ${lifetime}; Secure` : `${loopbackName}=${token}; ${lifetime}`
}

/** Removes the cookie. */
export function clearedSessionCookie(address: OwnAddress): string {
  return sessionCookie(address, '', 0)
}

/** The session token of a request. A cookie without the prefix is accepted only on the same machine. */
export function sessionTokenOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  if (headers.cookie === undefined) return undefined
  const names = isLoopbackHost(headers.host?.toLowerCase() ?? '') ? [secureName, loopbackName] : [secureName]
  const cookies = headers.cookie.split(';').map(cookie => cookie.trim().split('='))
  return names
    .map(name => cookies.find(([given]) => given === name)?.[1])
    .find(value => value !== undefined && isSessionToken(value))
}
