import type { IncomingMessage } from 'node:http'
import { AppError } from '../errors.ts'

/** A name or address with a port, or nothing (RFC 9110 §7.2, RFC 3986 §3.2.2). */
const hostForm = /^(?:\[[0-9a-f:.]+\]|[\w.~%!$&'()*+,;=-]*)(?::\d*)?$/i

/** Besides `Host`: who asks, what the body is, and which request this is. */
const sentOnce = new Set(['authorization', 'content-type', 'idempotency-key'])

/**
 * What is wrong with the `Host` of a request, or with a header that may stand there once, or undefined. HTTP/1.1 demands
 * one `Host`, and two readers of a request must not find two (RFC 9112 §3.2, RFC 9110 §5.3). Node keeps the first of
 * several and says nothing.
 */
export function headerError({ httpVersion, rawHeaders }: IncomingMessage): AppError | undefined {
  let host: string | undefined
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ''
    if (name === 'host') {
      if (host !== undefined) return refused('The request has two Host headers. Send one.')
      host = rawHeaders[at + 1]
    } else if (sentOnce.has(name)) {
      if (seen.has(name)) return refused(`The request has two ${name} headers. Send one.`)
      seen.add(name)
    }
  }
  if (host === undefined) {
    return httpVersion === '1.1' ? refused('The request names no host. Send a Host header.') : undefined
  }
  return hostForm.test(host)
    ? undefined
    : refused('The Host header is not a host name with an optional port.')
}

function refused(detail: string): AppError {
  return new AppError('malformed_request', detail, [], { connection: 'close' })
}
