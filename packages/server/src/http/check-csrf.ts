import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { isCsrfToken } from '../sessions/csrf-token.ts'
import type { CallerSession } from './caller.ts'
import { requireOwnAddress } from './own-address.ts'

/**
 * Checks that a request with the cookie comes from our own page. A browser sends the cookie for any page, but only our
 * page can read the token. A credential in a header needs no check, because browsers do not send it on their own.
 * @throws AppError `csrf_failed`, `https_required`
 */
export function checkCsrf(
  request: FastifyRequest,
  session: Pick<CallerSession, 'token' | 'isCookie'>,
  publicUrl: string,
): void {
  if (!session.isCookie || request.method === 'GET' || request.method === 'HEAD') return
  requireOwnAddress(request, publicUrl)
  const given = request.headers['x-csrf-token']
  if (typeof given === 'string' && isCsrfToken(session.token, given)) return
  throw new AppError('csrf_failed', 'Send the csrf_token of GET /v1/session as X-CSRF-Token.')
}
