import type { AttemptError } from '../domain/attempt-error.ts'
import type { SourceAddresses } from '../domain/source-addresses.ts'
import type { EgressProxy } from './proxy-tunnel.ts'

/** The HTTP client for webhooks. It connects only to addresses that the policy allows. */
export interface Egress extends AsyncDisposable {
  /** Makes one attempt. Never throws: the exchange contains the error. */
  post(request: PostRequest): Promise<Exchange>
  /** Sends a HEAD request under the same rules, to check whether the server is reachable. */
  head(request: HeadRequest): Promise<Exchange>
  /** Sends a GET request under the same rules. It keeps 8 KiB of the answer. */
  get(request: HeadRequest): Promise<Exchange>
  /** Sockets that are open or being opened, including idle ones. */
  readonly openSockets: number
}

export interface EgressOptions {
  /** Special-purpose address ranges that are allowed (`POSTHORN_EGRESS_ALLOW`). */
  allowCidrs: readonly string[]
  /** Address ranges that are never allowed (`POSTHORN_EGRESS_DENY`). */
  denyCidrs?: readonly string[]
  /** Allows `http:` and any port (`POSTHORN_EGRESS_HTTP`). */
  allowHttp: boolean
  /** Ports that a URL may name (`POSTHORN_EGRESS_PORTS`). */
  ports: readonly number[]
  /** The proxy through which all requests go (`POSTHORN_EGRESS_PROXY`); by default none. */
  proxy?: EgressProxy | null
  /** The addresses of this host from which requests leave (`POSTHORN_EGRESS_SOURCE_ADDRESS`); by default the system's choice. */
  source?: SourceAddresses | null
  /** The time limit for one whole attempt. */
  attemptTimeoutMs: number
  /** A clock that only goes forward, such as `performance.now`. */
  monotonicMs: () => number
  /** The answer header that names the verified signatures; `X-Service-Verified` by default. */
  verifiedHeader?: string
  /** The name servers, as `address` or `address:port`; those of the system by default. */
  dnsServers?: readonly string[] | null
  /** Must ask DNS only. By default our own DNS client. */
  resolver?: Resolver
}

/** Returns addresses as text, or rejects as `dns.promises.Resolver` does. */
export interface Resolver {
  resolve4(host: string): Promise<string[]>
  resolve6(host: string): Promise<string[]>
}

export interface PostRequest {
  url: string
  /**
   * The loopback origin that the operator permitted for this endpoint only. The URL must have this origin.
   */
  loopbackOrigin?: string | null
  /** Shown to a server that asks for one. Requests with different ones never share a connection. */
  clientCertificate?: ClientCertificate | null
  /** Flat: name, value, name, value. */
  headers: readonly string[]
  /** Headers that requests to this URL share. Pass the same array each time, because it is checked once. */
  commonHeaders?: readonly string[]
  /** Sent unchanged and not copied. */
  body: Uint8Array
  /** Ends the attempt as `aborted_by_shutdown`. Many requests may share one signal. */
  signal?: AbortSignal
  /** The time limit for this attempt, if it is not the default. */
  timeoutMs?: number
}

export interface ClientCertificate {
  /** Differs if the certificate or the key does. */
  readonly id: string
  /** The certificate and its intermediates, in PEM. */
  readonly certificate: string
  /** In PEM. */
  readonly privateKey: string
}

export type HeadRequest = Omit<PostRequest, 'body' | 'commonHeaders' | 'loopbackOrigin' | 'clientCertificate'>

/** The result of one attempt. */
export interface Exchange {
  outcome: 'success' | 'failure'
  /** The final status; null if the headers were not complete. */
  statusCode: number | null
  /** Null if and only if the outcome is `success`. */
  error: AttemptError | null
  phases: Phases
  /** The receiver's certificate, trusted or not; null without TLS. */
  certificate: Certificate | null
  durationMs: number
  /** Names are in lower case, repeated headers are joined, and the size is limited. */
  responseHeaders: Readonly<Record<string, string>> | null
  /** The beginning of the body as text: at most 8 KiB of a failure or of what a GET returns, 512 bytes of another success. */
  responseBody: string | null
  /** The receiver sent more than `responseBody` contains, or did not finish its answer. */
  responseTruncated: boolean
  /** `Retry-After` unchanged, at most 256 characters. */
  retryAfter: string | null
  /** The header that names the verified signatures, unchanged, at most 256 characters. */
  verifiedParts: string | null
}

export interface Certificate {
  validUntilMs: number
  /** The name of the issuer. */
  issuer: string | null
}

/** Milliseconds for each phase; null if it did not happen, as on a reused connection. */
export interface Phases {
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  /** From writing the request to the first byte of the answer. */
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
