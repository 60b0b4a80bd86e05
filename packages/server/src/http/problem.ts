import { STATUS_CODES } from 'node:http'
import { type ErrorCode, errorCodes, type Problem } from '@posthorn/contract'
import type { FastifyReply } from 'fastify'
import { AppError } from '../errors.ts'

/** The body of a refusal (RFC 9457). */
export function problemBody(error: AppError, requestId: string): Problem {
  const status = errorCodes[error.code]
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: error.message,
    code: error.code,
    request_id: requestId,
    ...(error.errors.length > 0 && { errors: [...error.errors] }),
  }
}

/** Answers with a refusal, and with the headers that go with its code. */
export function sendProblem(reply: FastifyReply, error: AppError): void {
  const body = problemBody(error, reply.request.id)
  void reply
    .code(body.status)
    .headers({
      'content-type': 'application/problem+json',
      'x-request-id': reply.request.id,
      ...headersByCode[error.code],
      ...error.headers,
    })
    // bytes, because to text Fastify adds a charset, which this media type does not have
    .send(Buffer.from(JSON.stringify(body)))
}

const headersByCode: Readonly<Partial<Record<ErrorCode, Record<string, string>>>> = {
  unauthorized: { 'www-authenticate': 'Bearer' },
  overloaded: { 'retry-after': '1' },
  database_unavailable: { 'retry-after': '2' },
}

/**
 * The refusal that an error means for the caller, or null when nobody foresaw it: then the caller learns nothing
 * but that it happened.
 */
export function refusalFor(error: unknown): AppError | null {
  if (error instanceof AppError) return error
  if (!(error instanceof Error)) return null
  // by its name, because http/ may not reach into db/
  if (error.name === 'DatabaseUnavailableError') {
    return new AppError(
      'database_unavailable',
      'The database does not answer. What was to be stored was stored whole or not at all: repeat it with the same outcome_id or Idempotency-Key.',
    )
  }
  return frameworkRefusal(error)
}

/** What Fastify refuses by itself, before any of our code. */
function frameworkRefusal(error: Error & { code?: unknown; statusCode?: unknown }): AppError | null {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError(
        'body_too_large',
        'The body is larger than this operation takes. Send less at once.',
      )
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new AppError('not_found', 'No operation has such a path. GET /openapi.json lists them.')
    default: {
      const { statusCode } = error
      const isCallersFault = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
      return isCallersFault ? new AppError('malformed_request', 'The request is not well-formed HTTP.') : null
    }
  }
}
