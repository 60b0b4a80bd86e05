import type { Lookups, Queryable } from './db/database.ts'
import type { DnsAnswer } from './domain/dns-answer.ts'
import type { ReturnPath } from './domain/domain-records.ts'
import type { UrlPolicy } from './domain/url-policy.ts'
import type { Exchange, HeadRequest, PostRequest } from './egress/egress.ts'
import type { Seal } from './seal/seal.ts'

/** What a verb needs besides its input: where data lives, what time it is, where chance comes from. */
export interface Ctx {
  readonly db: Queryable
  /** Where what happened is looked up: events, deliveries and attempts that are committed. */
  readonly history: Lookups
  readonly clock: Clock
  readonly random: Random
  readonly seal: Seal
  readonly settings: VerbSettings
  /** What lies outside of the database: receivers, DNS, the address of the service, the dispatchers. */
  readonly outside: Outside
  /** Who asked for what a verb does. */
  readonly actor: Actor
}

/** The operator's settings that verbs follow. */
export interface VerbSettings {
  readonly urlPolicy: UrlPolicy
  /** How long an endpoint may only fail before it is disabled. */
  readonly disableAfterMs: number
  /** For how many days events and deliveries are kept. */
  readonly retentionDays: number
  /** How many deliveries a second a replay queues for its endpoint. */
  readonly drainPerSecond: number
  /** Whether there is a mail server to hand emails to. */
  readonly canSendMail: boolean
  /** Who notices by mail come from; null if none can be mailed. */
  readonly noticesFrom: string | null
}

export interface Outside {
  /** How an endpoint is tested outside of any delivery. */
  readonly probe: Probe
  /** Where the records of sending domains are looked up. */
  readonly dns: DnsLookup
  /** The address that customers see, without a slash at its end. */
  readonly publicUrl: () => string
  /** Where bounces come back to; null while none is set. */
  readonly returnPath: () => ReturnPath | null
  /** Tells the dispatchers, after the commit, that something became due. A hint: they poll as well. */
  readonly wakeDispatchers: () => void
}

export interface DnsLookup {
  readonly txt: (name: string) => Promise<DnsAnswer>
  readonly mx: (name: string) => Promise<DnsAnswer>
}

export interface Probe {
  /** Posts once, through the same guard as every attempt. */
  readonly post: (request: PostRequest) => Promise<Exchange>
  /** Asks only whether somebody is there. */
  readonly head: (request: HeadRequest) => Promise<Exchange>
  readonly userAgent: string
  /** Wall clock for one attempt. */
  readonly timeoutMs: number
}

export type { Exchange }

/** Who acts, and in which request; `system` is Posthorn itself, in no request. */
export type Actor =
  | { readonly kind: 'operator'; readonly requestId: string }
  | { readonly kind: 'api_key'; readonly apiKeyId: string; readonly requestId: string }
  | { readonly kind: 'portal_session'; readonly portalSessionId: string; readonly requestId: string }
  | { readonly kind: 'system'; readonly requestId: null }

export interface Clock {
  /** Milliseconds since the epoch by this process's clock. */
  nowMs(): number
  /** Milliseconds that only run forward, for durations and deadlines. */
  monotonicMs(): number
}

export interface Random {
  /** Uniform in [0, 1): backoff jitter. */
  fraction(): number
  /** Cryptographic random bytes: secrets and ids. */
  bytes(length: number): Uint8Array
}
