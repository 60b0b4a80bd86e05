import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/** The origin of a page from which sign-in is allowed. */
export interface OwnAddress {
  readonly origin: string
  /** HTTPS, which a proxy in front of this process terminates. */
  readonly isSecure: boolean
}

type Asked = Pick<FastifyRequest, 'headers'>

/**
 * The origin by which a request reached this service: the public URL if it is https, or http on the same machine. Null
 * for http over a network, because others could read the session.
 */
export function ownAddress({ headers }: Asked, publicUrl: string): OwnAddress | null {
  const open = new URL(publicUrl)
  const host = headers.host?.toLowerCase() ?? ''
  if (open.protocol === 'https:') {
    // a proxy may change `Host`, so the browser's `Origin` counts too
    if (headers.origin === open.origin || host === open.host) return { origin: open.origin, isSecure: true }
  }
  return isLoopbackHost(host) ? { origin: `http://${host}`, isSecure: false } : null
}

/** Whether a proxy with TLS is in front, and adds the client's address to `X-Forwarded-For`. */
export function isProxied(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}

/** Whether a `Host` is a loopback host. */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/.test(host)
}

/**
 * Refuses a request that may come from another site or over an unencrypted connection.
 * @throws AppError `https_required`, `csrf_failed`
 */
export function requireOwnAddress(request: Asked, publicUrl: string): OwnAddress {
  const address = ownAddress(request, publicUrl)
  const { origin } = request.headers
  if (address === null || (address.isSecure && origin === address.origin.replace('https:', 'http:')))
    throw httpsRequired(publicUrl)
  if (origin === undefined || origin === address.origin) return address
  throw new AppError('csrf_failed', `Only pages of ${address.origin} may send this request.`)
}

function httpsRequired(publicUrl: string): AppError {
  const advice = publicUrl.startsWith('https:')
    ? `Open ${publicUrl} instead.`
    : 'Put a TLS proxy in front of Posthorn and set POSTHORN_PUBLIC_URL to its https address.'
  return new AppError('https_required', `You can sign in only over HTTPS or on the same machine. ${advice}`)
}
