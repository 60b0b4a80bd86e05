import type { FastifyRequest } from 'fastify'
import { isSessionToken } from '../domain/session-token.ts'
import { isLoopbackHost, type OwnAddress } from './own-address.ts'

const secureName = '__Host-posthorn'

/** Safari keeps no `Secure` cookie of a plain `http://127.0.0.1`, and the prefix demands one. */
const loopbackName = 'posthorn'

const attributes = 'Path=/; HttpOnly; SameSite=Strict'

/** Gives the browser a session's token: to send back to this very host, and never to scripts or other sites' pages. */
export function sessionCookie({ isSecure }: OwnAddress, token: string, maxAgeSeconds: number): string {
  const lifetime = `${attributes}; Max-Age=${Math.max(0, Math.floor(maxAgeSeconds))}`
  return isSecure ? `${secureName}=${token}; ${lifetime}; Secure` : `${loopbackName}=${token}; ${lifetime}`
}

/** Takes the token from the browser. */
export function clearedSessionCookie(address: OwnAddress): string {
  return sessionCookie(address, '', 0)
}

/** The token that a browser sent along. Only on the machine itself a cookie without the prefix is believed. */
export function sessionTokenOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  if (headers.cookie === undefined) return undefined
  const names = isLoopbackHost(headers.host?.toLowerCase() ?? '') ? [secureName, loopbackName] : [secureName]
  const cookies = headers.cookie.split(';').map(cookie => cookie.trim().split('='))
  return names
    .map(name => cookies.find(([given]) => given === name)?.[1])
    .find(value => value !== undefined && isSessionToken(value))
}
