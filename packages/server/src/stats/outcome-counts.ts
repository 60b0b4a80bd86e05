import type { CountedOutcome } from '../domain/counted-outcome.ts'
import type { EventType } from '../domain/event-type.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'

/** A stored event with what to count of it. */
export interface CountedEvent {
  readonly accountId: string
  /** A UUIDv7 with its time. */
  readonly id: string
  readonly type: EventType
  readonly counted: CountedOutcome
}

/** The number of recipients of one account, minute, type and reason. */
export interface OutcomeCount {
  accountId: string
  minuteMs: number
  type: EventType
  reason: string
  count: number
  /** How many of them have each domain. The others have no domain, or one too many. */
  domains: Map<string, number>
}

/** At most this many domains of an account are counted separately in one minute, and in each merged interval. */
export const domainsMax = 100

interface Minute {
  readonly atMs: number
  readonly counts: OutcomeCount[]
  readonly domains: Set<string>
}

const minuteMs = 60_000

/** The outcomes that a process has stored and whose counts are not stored yet. */
export class OutcomeCounts {
  readonly #domainsMax: number
  /** Each account has one or two minutes with a few counts each. */
  #accounts = new Map<string, Minute[]>()
  #size = 0

  constructor(max = domainsMax) {
    this.#domainsMax = max
  }

  get size(): number {
    return this.#size
  }

  add({ accountId, id, type, counted: { reason, domains } }: CountedEvent): void {
    const minute = this.#minute(accountId, uuidV7Ms(id))
    let one = minute.counts.find(count => count.type === type && count.reason === reason)
    if (one === undefined) {
      one = { accountId, minuteMs: minute.atMs, type, reason, count: 0, domains: new Map() }
      minute.counts.push(one)
      this.#size++
    }
    one.count += domains.length
    for (const domain of domains) {
      // the same domains for all types, so that each domain has its true rates
      if (domain === null || !this.#isCounted(domain, minute)) continue
      one.domains.set(domain, (one.domains.get(domain) ?? 0) + 1)
    }
  }

  /** Returns the counts and resets them. */
  take(): OutcomeCount[] {
    const counts = [...this.#accounts.values()].flatMap(minutes => minutes.flatMap(minute => minute.counts))
    this.#accounts = new Map()
    this.#size = 0
    return counts
  }

  #minute(accountId: string, atMs: number): Minute {
    const ofMinuteMs = atMs - (atMs % minuteMs)
    let minutes = this.#accounts.get(accountId)
    if (minutes === undefined) this.#accounts.set(accountId, (minutes = []))
    let minute = minutes.find(one => one.atMs === ofMinuteMs)
    if (minute === undefined) minutes.push((minute = { atMs: ofMinuteMs, counts: [], domains: new Set() }))
    return minute
  }

  #isCounted(domain: string, { domains }: Minute): boolean {
    if (domains.has(domain)) return true
    if (domains.size >= this.#domainsMax) return false
    domains.add(domain)
    return true
  }
}
