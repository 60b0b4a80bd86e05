import type { AttemptError } from '../domain/attempt-error.ts'

/** The one way out of the process: to addresses that the policy allows, and to no others. */
export interface Egress extends AsyncDisposable {
  /** Makes one attempt. Never throws: whatever goes wrong is in the exchange. */
  post(request: PostRequest): Promise<Exchange>
  /** Asks only whether somebody is there, under the same rules. */
  head(request: HeadRequest): Promise<Exchange>
  /** Sockets that are open or being opened, idle ones included. */
  readonly openSockets: number
}

export interface EgressOptions {
  /** Special-purpose ranges that may be delivered to (`POSTHORN_EGRESS_ALLOW`). */
  allowCidrs: readonly string[]
  /** Allows `http:` and any port (`POSTHORN_EGRESS_HTTP`). */
  allowHttp: boolean
  /** Ports that a URL may name (`POSTHORN_EGRESS_PORTS`). */
  ports: readonly number[]
  /** Wall clock for one whole attempt. */
  attemptTimeoutMs: number
  /** A clock that only goes forward, such as `performance.now`. */
  monotonicMs: () => number
  /** `address` or `address:port` of the name servers to ask; those of the system when null or left out. */
  dnsServers?: readonly string[] | null
  /** Asks DNS, and nothing but DNS; by default Node's own resolver. */
  resolver?: Resolver
}

/** Answers addresses as text, or rejects as `dns.promises.Resolver` does. */
export interface Resolver {
  resolve4(host: string): Promise<string[]>
  resolve6(host: string): Promise<string[]>
}

export interface PostRequest {
  url: string
  /**
   * The one loopback origin to which this endpoint alone may be delivered, as the operator permitted it. The URL must
   * be at it.
   */
  loopbackOrigin?: string | null
  /** Flat: name, value, name, value. */
  headers: readonly string[]
  /** Those that other requests to this URL have as well, in one array for all of them, which is looked at once. */
  commonHeaders?: readonly string[]
  /** Sent as it is; not copied. */
  body: Uint8Array
  /** Ends the attempt as `aborted_by_shutdown`; meant to be shared by many requests. */
  signal?: AbortSignal
}

export type HeadRequest = Omit<PostRequest, 'body' | 'commonHeaders' | 'loopbackOrigin'>

/** What became of one attempt. */
export interface Exchange {
  outcome: 'success' | 'failure'
  /** The final status; null when no complete headers came. */
  statusCode: number | null
  /** Null when and only when the outcome is success. */
  error: AttemptError | null
  phases: Phases
  /** What the receiver showed when the connection was secured, trusted or not; null without TLS. */
  certificate: Certificate | null
  durationMs: number
  /** Lower-case names, repeated ones joined; bounded. */
  responseHeaders: Readonly<Record<string, string>> | null
  /** The beginning of the body as text: at most 8 KiB of a failure, 512 bytes of a success. */
  responseBody: string | null
  /** True when the receiver sent more than `responseBody` shows, or broke off in the middle. */
  responseTruncated: boolean
  /** `Retry-After` as it came, at most 256 characters. */
  retryAfter: string | null
  /** `X-Service-Verified` as it came, at most 256 characters. */
  verifiedParts: string | null
}

export interface Certificate {
  validUntilMs: number
  /** Who issued it, by name. */
  issuer: string | null
}

/** Milliseconds for each phase; null when it did not happen, as for a connection that was open already. */
export interface Phases {
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  /** From the request being written to the first byte of the answer. */
  firstByteMs: number | null
}

export function noPhases(): Phases {
  return { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null }
}

/** The exchange of an attempt that failed before anything was sent. */
export function failedExchange(error: AttemptError): Exchange {
  return {
    outcome: 'failure',
    statusCode: null,
    error,
    phases: noPhases(),
    certificate: null,
    durationMs: 0,
    responseHeaders: null,
    responseBody: null,
    responseTruncated: false,
    retryAfter: null,
    verifiedParts: null,
  }
}
