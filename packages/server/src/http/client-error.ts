import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../errors.ts'
import { problemBody } from './problem.ts'

/** Answers what is not HTTP at all, or has too large headers, before the connection is closed. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const requestId = randomUUID()
  const problem = problemBody(refusal(error.code), requestId)
  const body = JSON.stringify(problem)
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

/** Answers a request that expects something else than to be told to go on. */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const requestId = randomUUID()
  const problem = problemBody(
    new AppError('malformed_request', 'Nothing but 100-continue can be expected here. Leave Expect out.'),
    requestId,
  )
  const body = JSON.stringify(problem)
  response
    .writeHead(problem.status, {
      'Content-Type': 'application/problem+json',
      'Content-Length': Buffer.byteLength(body),
      'X-Request-Id': requestId,
      // what was to follow is not read
      Connection: 'close',
    })
    .end(body)
}

function refusal(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new AppError('headers_too_large', 'The request line and headers are too large. Send less in them.')
  }
  return code === 'ERR_HTTP_REQUEST_TIMEOUT'
    ? new AppError('malformed_request', 'The request did not arrive in time.')
    : new AppError('malformed_request', 'The request is not well-formed HTTP.')
}
