import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../errors.ts'
import { problemBody } from './problem.ts'

/** Answers a request that is not valid HTTP or has headers that are too large, before the connection closes. */
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

/** Answers a request with an `Expect` header other than `100-continue`. */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const requestId = randomUUID()
  const problem = problemBody(
    new AppError(
      'malformed_request',
      'Posthorn supports only 100-continue in the Expect header. Remove the header.',
    ),
    requestId,
  )
  const body = JSON.stringify(problem)
  response
    .writeHead(problem.status, {
      'Content-Type': 'application/problem+json',
      'Content-Length': Buffer.byteLength(body),
      'X-Request-Id': requestId,
      // the rest of the request is not read
      Connection: 'close',
    })
    .end(body)
}

function refusal(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new AppError(
      'headers_too_large',
      'The request line and headers are too large. Send fewer or shorter headers.',
    )
  }
  return code === 'ERR_HTTP_REQUEST_TIMEOUT'
    ? new AppError('malformed_request', 'The request did not arrive in time. Send it again.')
    : new AppError('malformed_request', 'The request is not valid HTTP. Correct it and send it again.')
}
