import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/** Where the page that asks was loaded from, when it may sign in there. */
export interface OwnAddress {
  readonly origin: string
  /** Over HTTPS: a proxy before this process ends it. */
  readonly isSecure: boolean
}

type Asked = Pick<FastifyRequest, 'headers'>

/**
 * The address by which a request reached this service: the public one, when that is HTTPS, or plain HTTP on the machine
 * itself. Null for any other: plain HTTP over a network, where a session could be read along.
 */
export function ownAddress({ headers }: Asked, publicUrl: string): OwnAddress | null {
  const open = new URL(publicUrl)
  const host = headers.host?.toLowerCase() ?? ''
  if (open.protocol === 'https:') {
    // proxies may name us otherwise; what page is asking, the browser says
    if (headers.origin === open.origin || host === open.host) return { origin: open.origin, isSecure: true }
  }
  return isLoopbackHost(host) ? { origin: `http://${host}`, isSecure: false } : null
}

/** Whether a `Host` names the machine itself. */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/.test(host)
}

/**
 * Refuses what may have been sent from a page of somebody else, or over a connection that others can read.
 * @throws AppError `https_required`, `csrf_failed`
 */
export function requireOwnAddress(request: Asked, publicUrl: string): OwnAddress {
  const address = ownAddress(request, publicUrl)
  const { origin } = request.headers
  if (address === null || (address.isSecure && origin === address.origin.replace('https:', 'http:')))
    throw httpsRequired(publicUrl)
  if (origin === undefined || origin === address.origin) return address
  throw new AppError('csrf_failed', `This may be asked only by pages of ${address.origin}.`)
}

function httpsRequired(publicUrl: string): AppError {
  const advice = publicUrl.startsWith('https:')
    ? `Open ${publicUrl} instead.`
    : 'Put a proxy with a certificate before Posthorn and set POSTHORN_PUBLIC_URL to its https address.'
  return new AppError('https_required', `Signing in needs HTTPS, or the machine itself. ${advice}`)
}
