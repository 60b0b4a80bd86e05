import { STATUS_CODES } from 'node:http'
import { type ErrorCode, errorCodes, type Problem } from '@posthorn/contract'
import type { FastifyReply } from 'fastify'
import { AppError, accountMoving } from '../errors.ts'

/** The body of an error response (RFC 9457). */
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

/** Sends an error response with the headers for its code. */
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
    // a Buffer, because Fastify would add a charset to a string
    .send(Buffer.from(JSON.stringify(body)))
}

const headersByCode: Readonly<Partial<Record<ErrorCode, Record<string, string>>>> = {
  unauthorized: { 'www-authenticate': 'Bearer' },
  overloaded: { 'retry-after': '1' },
  database_unavailable: { 'retry-after': '2' },
  shard_unavailable: { 'retry-after': '2' },
  account_moving: { 'retry-after': '1' },
}

/**
 * The error that the caller gets, or null if it is unexpected. The caller then learns no details.
 */
export function refusalFor(error: unknown): AppError | null {
  if (error instanceof AppError) return error
  if (!(error instanceof Error)) return null
  // compared by name, because http/ must not import db/
  if (error.name === 'DatabaseUnavailableError') {
    return new AppError(
      'database_unavailable',
      'The database does not respond. The request was stored completely or not at all. Repeat it with the same outcome_id or Idempotency-Key.',
    )
  }
  if (error.name === 'NoSpaceForCopyError' && 'missingBytes' in error) {
    const megabytes = Math.ceil(Number(error.missingBytes) / 1e6)
    return new AppError(
      'database_unavailable',
      `The disk of the embedded database has too little free space for a copy of its files. Free ${megabytes} MB and repeat the request.`,
    )
  }
  if ('code' in error && error.code === movedAccountCode) return accountMoving()
  return frameworkRefusal(error)
}

/** The error for a body that exceeds the limit of its operation. */
export function bodyTooLarge(): AppError {
  return new AppError(
    'body_too_large',
    'The body is larger than this operation accepts. Send less in one request.',
  )
}

/** The account was taken away by a move to another shard while the request ran, and nothing was stored. */
const movedAccountCode = 'PH001'

/** Requests that Fastify refuses before our code runs. */
function frameworkRefusal(error: Error & { code?: unknown; statusCode?: unknown }): AppError | null {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLarge()
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new AppError('not_found', 'No operation has this path. GET /openapi.json lists all operations.')
    default: {
      const { statusCode } = error
      const isCallersFault = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
      return isCallersFault
        ? new AppError('malformed_request', 'The request is not valid HTTP. Correct it and send it again.')
        : null
    }
  }
}
