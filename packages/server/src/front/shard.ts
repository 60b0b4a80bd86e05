import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../context.ts'
import type { ShardAddress } from '../domain/shard-list.ts'
import type { Log } from '../log.ts'
import type { NamedKey } from '../seal/named-keys.ts'
import { askShard } from '../shards/ask-shard.ts'
import { type ShardAnswer, ShardClient, type ShardRequest } from '../shards/shard-client.ts'
import { ShardUnavailable } from '../shards/shard-unavailable.ts'
import { type ShardDescription, shardDescription } from '../shards/internal-api.ts'

export interface ShardOptions {
  readonly address: ShardAddress
  readonly keys: readonly NamedKey[]
  readonly clock: Clock
  readonly wait: (ms: number) => Promise<void>
  readonly log: Pick<Log, 'info' | 'error'>
  /** Why the front must not use a shard that describes itself so; null if it may. */
  readonly flawOf: (description: ShardDescription) => string | null
}

/** How often the front asks a shard how it is. */
const lookEveryMs = 1_000
/** A shard that is silent for this long is down, and the requests that wait for it end. */
const silentMsMax = 5_000
/** How long requests for a shard that went down wait for it to return. */
export const patienceMs = 5_000

/** One shard as a front sees it. It sends requests to the shard, and asks it every second how it is. */
export class Shard implements AsyncDisposable {
  readonly number: number
  readonly url: string
  readonly #client: ShardClient
  readonly #options: ShardOptions
  readonly #underWay = new Set<AbortController>()
  #description: ShardDescription | null = null
  #trouble: ShardUnavailable | null = null
  #downSinceMs: number | null = null
  #watching: Promise<void> | null = null
  #newAccounts = 0
  #isClosed = false

  constructor(options: ShardOptions) {
    const { address, keys, clock } = options
    this.number = address.number
    this.url = address.url
    this.#options = options
    this.#client = new ShardClient({ ...address, keys, clock })
  }

  /** What the shard last said about itself; null if it has never answered. */
  get description(): ShardDescription | null {
    return this.#description
  }

  /** How many accounts it has, with those that this front has created since it last said so. */
  get accounts(): number {
    return (this.#description?.accounts ?? 0) + this.#newAccounts
  }

  countNewAccount(): void {
    this.#newAccounts += 1
  }

  /** Why the shard cannot be used now; null if it answered last. */
  get trouble(): ShardUnavailable | null {
    return this.#trouble
  }

  /** Whether it has been down for so long that a request need not wait for it. */
  get isGone(): boolean {
    return this.#downSinceMs !== null && this.#options.clock.monotonicMs() - this.#downSinceMs > patienceMs
  }

  /**
   * Sends a request once. The answer's body ends early if the shard goes down.
   * @throws ShardUnavailable
   */
  async send({ signal, ...request }: ShardRequest): Promise<ShardAnswer> {
    if (this.#trouble !== null && (this.isGone || this.#trouble.isMisconfigured)) throw this.#trouble
    const ending = new AbortController()
    const end = (): void => ending.abort()
    const forget = (): void => {
      this.#underWay.delete(ending)
      signal?.removeEventListener('abort', end)
    }
    this.#underWay.add(ending)
    if (signal?.aborted === true) end()
    signal?.addEventListener('abort', end)
    try {
      const answer = await this.#client.send({ ...request, signal: ending.signal })
      answer.body.once('close', forget)
      return answer
    } catch (error) {
      forget()
      throw error
    }
  }

  /**
   * Asks the shard how it is.
   * @throws ShardUnavailable
   */
  async look(): Promise<ShardDescription> {
    const sinceMs = this.#options.clock.monotonicMs()
    try {
      const question = { method: 'GET', path: '/shard', msMax: silentMsMax } as const
      const description = await askShard(this.#client, question, shardDescription)
      const flaw = this.#options.flawOf(description)
      if (flaw !== null) throw this.#unavailable(flaw, true)
      this.#description = description
      this.#newAccounts = 0
      this.#returned()
      return description
    } catch (error) {
      const trouble = error instanceof ShardUnavailable ? error : this.#unavailable(String(error), false)
      this.#lost(trouble, sinceMs)
      throw trouble
    }
  }

  /** Looks again and again. */
  watch(): void {
    this.#watching ??= this.#watch()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    this.#client[Symbol.dispose]()
    await this.#watching
  }

  async #watch(): Promise<void> {
    while (!this.#isClosed) {
      await this.#options.wait(lookEveryMs)
      await this.look().catch(() => {})
    }
  }

  #returned(): void {
    if (this.#trouble !== null) this.#options.log.info({ shard: this.number }, 'a shard answers again')
    this.#trouble = null
    this.#downSinceMs = null
  }

  #lost(trouble: ShardUnavailable, sinceMs: number): void {
    if (this.#isClosed) return
    const isNews = this.#trouble === null || this.#trouble.reason !== trouble.reason
    this.#trouble = trouble
    this.#downSinceMs ??= sinceMs
    const isSilent = this.#options.clock.monotonicMs() - this.#downSinceMs >= silentMsMax
    // a dead machine does not close its connections
    if (isSilent) void this.#endRequests()
    if (isNews) {
      const { shard, reason } = trouble
      this.#options.log.error(
        { shard, reason },
        'a shard is not available: its accounts get 503 until it answers',
      )
    }
  }

  /** One in each turn of the event loop, so that the requests of other shards do not wait for hundreds of refusals. */
  async #endRequests(): Promise<void> {
    const waiting = [...this.#underWay]
    for (const request of waiting) {
      request.abort()
      await setImmediate()
    }
  }

  #unavailable(reason: string, isMisconfigured: boolean): ShardUnavailable {
    return new ShardUnavailable(this.#options.address, reason, { mayHaveArrived: true, isMisconfigured })
  }
}
