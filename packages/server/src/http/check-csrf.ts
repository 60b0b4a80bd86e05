import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { isCsrfToken } from '../sessions/csrf-token.ts'
import type { CallerSession } from './caller.ts'
import { requireOwnAddress } from './own-address.ts'

/**
 * Makes sure that a change was asked for by a page of ours. A browser sends the cookie by itself, whatever page asks;
 * the token can be had only by reading an answer of ours. What bears its credential in a header needs none of this.
 * @throws AppError `csrf_failed`, `https_required`
 */
export function checkCsrf(request: FastifyRequest, session: CallerSession, publicUrl: string): void {
  if (!session.isCookie || request.method === 'GET' || request.method === 'HEAD') return
  requireOwnAddress(request, publicUrl)
  const given = request.headers['x-csrf-token']
  if (typeof given === 'string' && isCsrfToken(session.token, given)) return
  throw new AppError('csrf_failed', 'Send the csrf_token of GET /v1/session as X-CSRF-Token.')
}
