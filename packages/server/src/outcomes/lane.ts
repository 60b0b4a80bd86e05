import { Batcher } from '../collections/batcher.ts'
import { DatabaseUnavailableError } from '../db/database.ts'
import { AppError } from '../errors.ts'
import type { Accepted, NewEvent } from './accept.ts'
import { type Groupable, nextGroup } from './next-group.ts'

/** Beyond these limits the lane refuses requests. */
const waitingRequestsMax = 10_000
const waitingBytesMax = 64 * 1024 * 1024
/** For how many accounts to remember the fan-out. */
const fanOutsMax = 10_000

export interface LaneOptions {
  /** Stores events in one transaction. */
  store: (events: readonly NewEvent[]) => Promise<Accepted>
  /** Called after the commit, before the next group starts and before the requests are answered. Never throws. */
  afterCommit: (events: readonly NewEvent[], accepted: Accepted) => void
  /** Called when a group is stored or has failed: the other lane may go on. */
  onStored: () => void
  /** Accounts to leave out of the next group, because it would wait for locks on their endpoints. */
  excluded: () => ReadonlySet<string>
}

/**
 * Stores requests in groups, one group at a time. If a group fails, its requests are stored one by one, so that only the request
 * at fault gets the error.
 */
export class Lane {
  readonly #options: LaneOptions
  readonly #batcher: Batcher<Waiting, Accepted | null>
  readonly #fanOuts = new Map<string, number>()
  #accountOrder: readonly string[] = []
  #requests = 0
  #bytes = 0
  #storing: ReadonlySet<string> = new Set()
  #leftOut: ReadonlySet<string> = new Set()

  constructor(options: LaneOptions) {
    this.#options = options
    this.#batcher = new Batcher({
      next: waiting => this.#next(waiting),
      flush: async group => await this.#store(group),
      done: answer,
      failed: async (group, error) => {
        await this.#storeEach(group, error)
        return []
      },
    })
  }

  get storing(): ReadonlySet<string> {
    return this.#storing
  }

  get leftOut(): ReadonlySet<string> {
    return this.#leftOut
  }

  /**
   * Resolves after the commit with the events' `duplicateOf`.
   * @throws AppError `overloaded`, at once, if too many requests wait
   */
  async submit(events: readonly NewEvent[]): Promise<Accepted['duplicateOf']> {
    return await this.#add({ events, bytes: events.reduce((sum, event) => sum + event.body.length, 0) })
  }

  /**
   * Runs a transaction that stores outcomes of this account, as a group of its own.
   * @param bytes the size of the request
   * @throws AppError `overloaded`, at once, if too many requests wait
   */
  async run<T>(accountId: string, bytes: number, work: () => Promise<T>): Promise<T> {
    const result = Promise.withResolvers<T>()
    await this.#add({
      accountId,
      events: [],
      bytes,
      alone: true,
      run: async () => await work().then(result.resolve, result.reject),
    })
    return await result.promise
  }

  /** Fewer accounts are excluded now. */
  wake(): void {
    this.#batcher.wake()
  }

  get isActive(): boolean {
    return this.#batcher.isActive
  }

  async drain(): Promise<void> {
    await this.#batcher.drain()
  }

  async #add(
    request: Pick<Waiting, 'events' | 'bytes'> & Partial<Waiting>,
  ): Promise<Accepted['duplicateOf']> {
    if (this.#requests >= waitingRequestsMax || this.#bytes + request.bytes > waitingBytesMax) {
      throw new AppError(
        'overloaded',
        'More outcomes arrive than Posthorn can store. Repeat the request after a second.',
      )
    }
    return await new Promise((resolve, reject) => {
      this.#count(request, 1)
      this.#batcher.add({ accountId: request.events[0]?.accountId ?? '', ...request, resolve, reject })
    })
  }

  #next(waiting: readonly Waiting[]): { batch: Waiting[]; later: Waiting[] } {
    const excluded = this.#options.excluded()
    const { group, later, accountOrder } = nextGroup(waiting, {
      accountOrder: this.#accountOrder,
      excluded,
      fanOut: accountId => this.#fanOuts.get(accountId) ?? 1,
    })
    this.#accountOrder = accountOrder
    this.#leftOut = new Set(later.map(({ accountId }) => accountId).filter(one => excluded.has(one)))
    for (const request of group) this.#count(request, -1)
    return { batch: group, later }
  }

  async #store(group: readonly Waiting[]): Promise<Accepted | null> {
    this.#storing = new Set(group.map(({ accountId }) => accountId))
    try {
      const [first] = group
      if (first?.run !== undefined) {
        await first.run()
        return null
      }
      const events = group.flatMap(one => one.events)
      const accepted = await this.#options.store(events)
      this.#learnFanOut(group, accepted)
      this.#options.afterCommit(events, accepted)
      return accepted
    } finally {
      this.#storing = new Set()
      this.#options.onStored()
    }
  }

  async #storeEach(group: readonly Waiting[], error: unknown): Promise<void> {
    if (group.length === 1 || error instanceof DatabaseUnavailableError) {
      for (const request of group) request.reject(error)
      return
    }
    for (const request of group) {
      try {
        answer([request], await this.#store([request]))
      } catch (ownError) {
        request.reject(ownError)
      }
    }
  }

  #learnFanOut(group: readonly Waiting[], { handedOver, left }: Accepted): void {
    const [first] = group
    if (first === undefined || this.#storing.size > 1) return
    const events = group.reduce((sum, one) => sum + one.events.length, 0)
    const deliveries = handedOver.length + left.reduce((sum, one) => sum + one.deliveries, 0)
    if (this.#fanOuts.size >= fanOutsMax) this.#fanOuts.clear()
    this.#fanOuts.set(first.accountId, Math.max(1, deliveries / Math.max(1, events)))
  }

  #count({ bytes }: Pick<Waiting, 'bytes'>, change: 1 | -1): void {
    this.#requests += change
    this.#bytes += change * bytes
  }
}

function answer(group: readonly Waiting[], accepted: Accepted | null): void {
  let from = 0
  for (const { events, resolve } of group) {
    resolve(accepted?.duplicateOf.slice(from, from + events.length) ?? [])
    from += events.length
  }
}

interface Waiting extends Groupable {
  readonly events: readonly NewEvent[]
  /** Runs instead of storing events. Never rejects. */
  readonly run?: () => Promise<void>
  readonly resolve: (duplicateOf: Accepted['duplicateOf']) => void
  readonly reject: (error: unknown) => void
}
