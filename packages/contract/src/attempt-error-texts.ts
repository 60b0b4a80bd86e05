import type { AttemptErrorCode } from './attempt-error-code.ts'

/** What people are told of a failed attempt. Names in braces stand for details of the one attempt. */
export interface AttemptErrorText {
  /** For a cell of a table. */
  readonly label: string
  /** What happened, in a sentence or two. */
  readonly headline: string
  /** What is usually behind it; left out where the attempt itself knows better. */
  readonly cause?: string
  /** What the owner of the endpoint does about it. `status_not_2xx` has its own by status: `statusAdvice`. */
  readonly advice: string
}

/** The one table of words for failed attempts: the API's `error.message` is made of it, and so is the dashboard. */
export const attemptErrorTexts = {
  dns_failed: {
    label: 'Host not found',
    headline: 'We could not find {host}.',
    cause: 'It has no address we can see, or its name servers did not answer within 3 s.',
    advice: 'Check the spelling and the DNS zone.',
  },
  address_refused: {
    label: 'Address not allowed',
    headline: '{host} leads to an address we do not deliver to.',
    cause: 'Private, local and metadata addresses are refused.',
    advice: 'Use a public address. (Operator: POSTHORN_EGRESS_ALLOW.)',
  },
  connect_refused: {
    label: 'Connection refused',
    headline: '{host} refused the connection on port {port}.',
    cause: 'Nothing listens there, or a firewall said no.',
    advice: 'Start your server, or let us through.',
  },
  connect_timeout: {
    label: 'No connection in time',
    headline: '{host} did not let us connect within {limit} s.',
    cause: 'Often a firewall that drops packets, or a server that is full.',
    advice: 'Let requests in, or add capacity.',
  },
  tls_failed: {
    label: 'No secure connection',
    headline: 'No secure connection with {host}: {reason}.',
    advice: 'Use a certificate from a public authority with its full chain, and TLS 1.2 or newer.',
  },
  tls_name_mismatch: {
    label: 'Certificate for another name',
    headline: 'The certificate is for {names}, not for {host}.',
    advice: 'Issue one that names {host}, or correct the URL.',
  },
  tls_expired: {
    label: 'Certificate expired',
    headline: 'The certificate expired on {date}.',
    advice: 'Renew it. The next try goes through by itself.',
  },
  connection_reset: {
    label: 'Connection closed',
    headline: 'Your server hung up before it answered.',
    advice: 'Look for a crash, a body limit or a proxy timeout in your logs at {time}.',
  },
  response_timeout: {
    label: 'No answer in time',
    headline: 'Your server did not answer within {limit} s.',
    advice: 'Store the event, answer 200, work afterwards.',
  },
  response_malformed: {
    label: 'Answer not HTTP',
    headline: 'The answer was not HTTP.',
    advice: 'Something else may listen on port {port}.',
  },
  redirect_refused: {
    label: 'Redirect',
    headline: 'Your server sent us on to {location}. We never follow redirects.',
    advice: 'Set the final URL here.',
  },
  status_not_2xx: {
    label: 'Not a 2xx answer',
    headline: 'Your server answered {status}.',
    advice: '{advice}',
  },
  request_timeout: {
    label: 'Not done in time',
    headline: 'Your server was not done within {limit} s.',
    cause: 'It did not read the whole request, or did not finish the headers of its answer.',
    advice: 'Look for a slow proxy, or a server that is full.',
  },
  headers_too_large: {
    label: 'Headers too large',
    headline: 'The headers of the answer are larger than 16 KiB.',
    advice: 'Send fewer or shorter ones; cookies are often the reason.',
  },
  aborted_by_shutdown: {
    label: 'Stopped by us',
    headline: 'We were stopped while the attempt was under way.',
    advice: 'Nothing to do: we send the event again.',
  },
  unknown: {
    label: 'Unknown',
    headline: 'The attempt failed: {reason}.',
    advice: 'If it stays so, tell the operator.',
  },
} as const satisfies Record<AttemptErrorCode, AttemptErrorText>

/** What to do about an answer that is not 2xx, nor a redirect. */
export function statusAdvice(status: number): string {
  return adviceByStatus[status] ?? (status >= 500 ? serverFailed : 'Only 2xx counts as received.')
}

const refusedBody = 'It refused the body: ignore fields you do not know.'
const wrongPath = 'The path is wrong, or takes no POST.'
const serverFailed = 'It failed: look into its log.'

const adviceByStatus: Readonly<Record<number, string>> = {
  304: 'That is for a GET from a cache: answer a POST with 200 or 204.',
  400: refusedBody,
  401: 'It says the signature is wrong: verify the raw bytes of the body with this endpoint’s whole secret.',
  403: 'A firewall or a bot filter stands before it: let `Posthorn/` through.',
  404: wrongPath,
  405: wrongPath,
  408: 'It was too slow to read the request: look for a slow proxy, or a server that is full.',
  410: 'It wants no more events here, so we stop at once.',
  413: 'Raise the body limit.',
  422: refusedBody,
  429: 'We wait as you ask: set a rate limit for this endpoint.',
}
