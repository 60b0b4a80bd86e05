import type { IncomingMessage } from 'node:http'
import { AppError } from '../errors.ts'

/** A host name or address with an optional port, or an empty value (RFC 9110 §7.2, RFC 3986 §3.2.2). */
const hostForm = /^(?:\[[0-9a-f:.]+\]|[\w.~%!$&'()*+,;=-]*)(?::\d*)?$/i

/** Headers besides `Host` that must not be repeated. */
const sentOnce = new Set(['authorization', 'content-type', 'idempotency-key'])

/**
 * Finds an invalid `Host` or a repeated header. HTTP/1.1 requires exactly one `Host`, and with two, a proxy and Posthorn
 * could choose different ones (RFC 9112 §3.2, RFC 9110 §5.3). Node silently keeps the first.
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
    return httpVersion === '1.1' ? refused('The request has no Host header. Send one.') : undefined
  }
  return hostForm.test(host)
    ? undefined
    : refused('The Host header must be a host name with an optional port.')
}

function refused(detail: string): AppError {
  return new AppError('malformed_request', detail, [], { connection: 'close' })
}
