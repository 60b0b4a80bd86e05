import type { Customer } from '../../packages/server/test/support/api.ts'
import { feed } from '../support/feed.ts'
import { outcome } from '../support/outcome.ts'

/** Who reports, and how. */
export interface Traffic {
  /** The operator's reports name all accounts in turn. The key holders' reports belong to one account each. */
  from: 'operator' | 'key holders'
  outcomesPerReport: number
  /** For each shard, so that each has as many reports under way as a single one. */
  connections: number
  /** Of the outcomes of a load. Single outcomes are slow. */
  share: number
}

/** Reports outcomes with an `outcome_id` each, and counts them by account. */
export class Reported {
  readonly #customers: readonly Customer[]
  readonly #shards: number
  #next = 0
  /** Accepted outcomes by account. */
  readonly accepted = new Map<string, number>()

  constructor(customers: readonly Customer[], shards: number) {
    this.#customers = customers
    this.#shards = shards
  }

  /** Everything that was accepted. */
  get count(): number {
    return this.#next
  }

  /** Prepares reports. They count as accepted, because sending them fails if one is refused. */
  prepare(traffic: Traffic, outcomes: number): (url: string, adminToken: string) => Promise<void> {
    const { from, outcomesPerReport, connections } = traffic
    const bodies: string[] = []
    for (let first = 0; first < outcomes; first += outcomesPerReport) {
      const size = Math.min(outcomesPerReport, outcomes - first)
      const reporter = from === 'operator' ? null : bodies.length
      const report = Array.from({ length: size }, () => this.#outcome(reporter))
      bodies.push(JSON.stringify(size === 1 ? report[0] : report))
    }
    const apiKeys = this.#customers.map(({ apiKey }) => apiKey)
    return async (url, adminToken) =>
      await feed(url, from === 'operator' ? adminToken : apiKeys, bodies, connections * this.#shards)
  }

  /** @param reporter the number of the account, or null for the operator, who names the next one */
  #outcome(reporter: number | null): object {
    const n = this.#next++
    const accountId = this.#customers[(reporter ?? n) % this.#customers.length]?.accountId ?? ''
    this.accepted.set(accountId, (this.accepted.get(accountId) ?? 0) + 1)
    return {
      ...(reporter === null && { account_id: accountId }),
      outcome_id: `out_${n}`,
      ...outcome(n),
    }
  }
}
