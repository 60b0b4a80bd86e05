import type { AttemptErrorCode } from './attempt-error-code.ts'

/** The texts that explain a failed attempt. Names in braces are replaced by details of the attempt. */
export interface AttemptErrorText {
  /** Short, for a table cell. */
  readonly label: string
  /** What happened, in a sentence or two. */
  readonly headline: string
  /** The usual cause. Some attempts replace it with a more precise one. */
  readonly cause?: string
  /** What the owner of the endpoint should do. For `status_not_2xx` it depends on the status: see `statusAdvice`. */
  readonly advice: string
}

/** The API builds `error.message` from this table, and the dashboard shows the same texts. */
export const attemptErrorTexts = {
  dns_failed: {
    label: 'Host not found',
    headline: 'We could not find {host}.',
    cause: 'It has no address we can see, or its name servers did not answer within 3 s.',
    advice: 'Check the spelling and the DNS zone.',
  },
  address_refused: {
    label: 'Address not allowed',
    headline: '{host} resolves to an address that we do not deliver to.',
    cause: 'We refuse private, local and metadata addresses.',
    advice: 'Use a public address. (Operator: POSTHORN_EGRESS_ALLOW.)',
  },
  connect_refused: {
    label: 'Connection refused',
    headline: '{host} refused the connection on port {port}.',
    cause: 'Nothing listens there, or a firewall rejects the connection.',
    advice: 'Start your server, or allow our connections.',
  },
  connect_timeout: {
    label: 'No connection in time',
    headline: 'We could not connect to {host} within {limit} s.',
    cause: 'A firewall may drop the packets, or the server may be overloaded.',
    advice: 'Allow our connections, or add capacity.',
  },
  tls_failed: {
    label: 'No secure connection',
    headline: 'We could not open a secure connection to {host}: {reason}.',
    advice: 'Use a certificate from a public authority with its full chain, and TLS 1.2 or newer.',
  },
  tls_name_mismatch: {
    label: 'Certificate for another name',
    headline: 'The certificate is for {names}, not for {host}.',
    advice: 'Install a certificate for {host}, or correct the URL.',
  },
  tls_expired: {
    label: 'Certificate expired',
    headline: 'The certificate expired on {date}.',
    advice: 'Renew it. The next retry then succeeds.',
  },
  connection_reset: {
    label: 'Connection closed',
    headline: 'Your server closed the connection before it answered.',
    advice: 'Look for a crash, a body limit or a proxy timeout in your logs at {time}.',
  },
  response_timeout: {
    label: 'No response in time',
    headline: 'Your server did not answer within {limit} s.',
    advice: 'Store the event, answer 200, and process it afterwards.',
  },
  response_malformed: {
    label: 'Response not HTTP',
    headline: 'The response was not HTTP.',
    advice: 'Something else may listen on port {port}.',
  },
  redirect_refused: {
    label: 'Redirect',
    headline: 'Your server redirected us to {location}. We never follow redirects.',
    advice: 'Change the URL of the endpoint to the final URL.',
  },
  status_not_2xx: {
    label: 'Not a 2xx response',
    headline: 'Your server answered {status}.',
    advice: '{advice}',
  },
  request_timeout: {
    label: 'Not finished in time',
    headline: 'Your server did not finish within {limit} s.',
    cause: 'It did not read the whole request, or did not finish the headers of its response.',
    advice: 'Look for a slow proxy or an overloaded server.',
  },
  headers_too_large: {
    label: 'Headers too large',
    headline: 'The response headers are larger than 16 KiB.',
    advice: 'Send fewer or shorter headers. Cookies are often the cause.',
  },
  aborted_by_shutdown: {
    label: 'Posthorn stopped',
    headline: 'Posthorn stopped while the attempt was in flight.',
    advice: 'You do not have to do anything. We send the event again.',
  },
  unknown: {
    label: 'Unknown',
    headline: 'The attempt failed: {reason}.',
    advice: 'If this continues, contact the operator.',
  },
} as const satisfies Record<AttemptErrorCode, AttemptErrorText>

/** What to do about a status that is neither 2xx nor a redirect. */
export function statusAdvice(status: number): string {
  return adviceByStatus[status] ?? (status >= 500 ? serverFailed : 'Only a 2xx status acknowledges an event.')
}

const refusedBody = 'It rejected the body. Ignore fields that you do not know.'
const wrongPath = 'The path is wrong or does not accept POST.'
const serverFailed = 'Check the log of your server.'

const adviceByStatus: Readonly<Record<number, string>> = {
  304: 'That status is for cached GET requests. Answer a POST with 200 or 204.',
  400: refusedBody,
  401: 'It rejected the signature. Verify the raw bytes of the body with the whole secret of this endpoint.',
  403: 'A firewall or bot filter may block us. Allow the user agent `Posthorn/`.',
  404: wrongPath,
  405: wrongPath,
  408: 'It read the request too slowly. Look for a slow proxy or an overloaded server.',
  410: 'It wants no more events, so we disable the endpoint.',
  413: 'Raise its body limit.',
  422: refusedBody,
  429: 'We retry later. Set a rate limit for this endpoint.',
}
