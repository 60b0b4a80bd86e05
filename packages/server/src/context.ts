import type { OperatorMethod, RateThresholds } from '@posthorn/contract'
import type { Lookups, Queryable } from './db/database.ts'
import type { DnsAnswer } from './domain/dns-answer.ts'
import type { OperatorTimings } from './domain/endpoint-timings.ts'
import type { ReturnPath } from './domain/domain-records.ts'
import type { UrlPolicy } from './domain/url-policy.ts'
import type { ClientCertificate, Exchange, HeadRequest, PostRequest } from './egress/egress.ts'
import type { Seal } from './seal/seal.ts'

/** The dependencies of a verb: databases, clock, randomness, settings, the outside world and the actor. */
export interface Ctx {
  readonly db: Queryable
  /** Reads committed events, deliveries and attempts. */
  readonly history: Lookups
  readonly clock: Clock
  readonly random: Random
  readonly seal: Seal
  readonly settings: VerbSettings
  /** Everything outside the database: receivers, DNS, the address of the service, the dispatchers. */
  readonly outside: Outside
  /** Who called the verb. */
  readonly actor: Actor
}

/** The operator's settings that verbs follow. */
export interface VerbSettings {
  readonly urlPolicy: UrlPolicy
  /** How long every attempt to an endpoint must fail before Posthorn disables it. */
  readonly disableAfterMs: number
  /** How many days Posthorn keeps events and deliveries. */
  readonly retentionDays: number
  /** How many days Posthorn keeps statistics. */
  readonly statsDays: number
  /** How many deliveries per second a replay queues for its endpoint. */
  readonly drainPerSecond: number
  /** How long attempts to an endpoint may take, and when they are repeated. */
  readonly timings: OperatorTimings
  /** The beginning of the names of Posthorn's own headers. */
  readonly headerPrefix: string
  /** Whether a mail server is configured. */
  readonly canSendMail: boolean
  /** The From address of notices by email; null if Posthorn cannot send any. */
  readonly noticesFrom: string | null
  /** The rates above which the dashboard warns. */
  readonly thresholds: RateThresholds
  /** The rates above which Posthorn suspends an account; null turns one off. */
  readonly suspension: {
    readonly bounceRate: number | null
    readonly complaintRate: number | null
    /** With fewer outcomes in 24 hours, an account is not suspended. */
    readonly outcomesMin: number
  }
}

export interface Outside {
  /** Sends requests that do not belong to a delivery. */
  readonly probe: Probe
  /** Looks up the records of sending domains. */
  readonly dns: DnsLookup
  /** The address that customers see, without a trailing slash. */
  readonly publicUrl: () => string
  /** Receives bounces; null if it is not configured. */
  readonly returnPath: () => ReturnPath | null
  /** Tells the dispatchers, after the commit, that something became due. Only a hint, because they also poll. */
  readonly wakeDispatchers: () => void
}

export interface DnsLookup {
  readonly txt: (name: string) => Promise<DnsAnswer>
  readonly mx: (name: string) => Promise<DnsAnswer>
  readonly cname: (name: string) => Promise<DnsAnswer>
}

export interface Probe {
  /** Posts once, with the same address checks as every attempt. */
  readonly post: (request: PostRequest) => Promise<Exchange>
  /** Checks only whether a server answers. */
  readonly head: (request: HeadRequest) => Promise<Exchange>
  /** Reads up to 8 KiB. */
  readonly get: (request: HeadRequest) => Promise<Exchange>
  readonly userAgent: string
  /** The time limit for one attempt. */
  readonly timeoutMs: number
}

export type { ClientCertificate, Exchange }

/** Who acts, and in which request: `recipient` of an email by its unsubscribe link; `system` is Posthorn itself, without a request. */
export type Actor =
  | {
      readonly kind: 'operator'
      readonly name: string
      readonly method: OperatorMethod
      readonly requestId: string
    }
  | { readonly kind: 'api_key'; readonly apiKeyId: string; readonly requestId: string }
  | { readonly kind: 'portal_session'; readonly portalSessionId: string; readonly requestId: string }
  | { readonly kind: 'recipient'; readonly requestId: string }
  | { readonly kind: 'system'; readonly requestId: null }

export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number
  /** Milliseconds that never go back, for durations and deadlines. */
  monotonicMs(): number
}

export interface Random {
  /** Uniform in [0, 1), for backoff jitter. */
  fraction(): number
  /** Cryptographic random bytes, for secrets and ids. */
  bytes(length: number): Uint8Array
}
