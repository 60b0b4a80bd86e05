import type { Accepted, NewEvent } from './accept.ts'
import { AppError } from '../errors.ts'
import { groupBytesMax, groupEventsMax, nextGroup, nobody } from './next-group.ts'

/** Beyond these, a request is refused at once instead of waiting for what it cannot get. */
const waitingRequestsMax = 10_000
const waitingBytesMax = 64 * 1024 * 1024

export interface GroupCommitOptions {
  /** Stores events in one statement. */
  store: (events: readonly NewEvent[]) => Promise<Accepted>
  /** Called after the commit, before the next group is stored and before the requests are answered. Throws never. */
  afterCommit: (accepted: Accepted) => void
  /** Runs what stores one group after the other, for as long as there are any. */
  during?: (run: () => Promise<void>) => Promise<void>
  /** True when an error says that the database is away, so that trying each request alone is pointless. */
  isAway: (error: unknown) => boolean
  /**
   * Accounts whose endpoints are locked for a while: their requests wait for `letGo`, because a group with one of
   * them would keep everybody in it waiting.
   */
  heldBack?: () => ReadonlySet<string>
}

/**
 * Gathers the requests that arrive while a commit is under way into the next one, so that the cost of a commit is
 * shared by all who wait for it and nobody waits for a timer. The next one is on its way before those of the last are
 * answered: the database works while this process writes. Accounts take turns when not all fit. When a group fails, its
 * requests are tried one by one, and only the guilty one gets the error.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions
  /** Oldest first. */
  #waiting: Waiting[] = []
  #waitingEvents = 0
  #waitingBytes = 0
  /** Whose turn comes after whose, where not all fit into a group. */
  #turns: readonly string[] = []
  #running: Promise<void> | undefined

  constructor(options: GroupCommitOptions) {
    this.#options = options
  }

  /**
   * Resolves after the commit with, for each event, the id of the event that its outcome made before, or null.
   * @throws AppError `overloaded`, at once, when too much waits already
   */
  async submit(events: readonly NewEvent[]): Promise<Accepted['duplicateOf']> {
    const bytes = events.reduce((sum, event) => sum + event.body.length, 0)
    if (this.#waiting.length >= waitingRequestsMax || this.#waitingBytes + bytes > waitingBytesMax) {
      throw new AppError(
        'overloaded',
        'More is arriving than can be stored; repeat the request after a second.',
      )
    }
    return await new Promise((resolve, reject) => {
      this.#enqueue({ accountId: events[0]?.accountId ?? '', events, bytes, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /**
   * Stores at once, beside the group under way, what waits of accounts that are held back no more. Resolves when its requests
   * are answered, with whatever.
   */
  async letGo(accountIds: ReadonlySet<string>): Promise<void> {
    let waiting = this.#waiting.filter(request => accountIds.has(request.accountId))
    if (waiting.length === 0) return
    this.#waiting = this.#waiting.filter(request => !accountIds.has(request.accountId))
    for (const request of waiting) this.#count(request, -1)
    while (waiting.length > 0) {
      const { group, later } = nextGroup(waiting, [])
      waiting = later
      await this.#commit(group)
    }
  }

  /** Resolves when nothing waits any more but for accounts that are held back. */
  async drain(): Promise<void> {
    await this.#running
  }

  #enqueue(request: Waiting): void {
    this.#waiting.push(request)
    this.#count(request, 1)
  }

  async #run(): Promise<void> {
    // what arrives in the same turn of the event loop belongs to the same group
    await new Promise(resolve => setImmediate(resolve))
    const { during } = this.#options
    await (during === undefined ? this.#storeAll() : during(async () => await this.#storeAll()))
  }

  async #storeAll(): Promise<void> {
    for (let underWay = this.#begin(); underWay !== null; ) {
      const { group, storing } = underWay
      const accepted = await storing
      if (accepted !== null) this.#options.afterCommit(accepted)
      underWay = this.#begin()
      if (accepted !== null) answer(group, accepted)
    }
    // in the turn in which nothing was left: who comes after that begins anew
    this.#running = undefined
  }

  #begin(): { group: readonly Waiting[]; storing: Promise<Accepted | null> } | null {
    const group = this.#nextGroup()
    return group.length === 0 ? null : { group, storing: this.#store(group) }
  }

  #nextGroup(): Waiting[] {
    const waiting = this.#waiting
    const heldBack = this.#options.heldBack?.() ?? nobody
    const fits = this.#waitingEvents <= groupEventsMax && this.#waitingBytes <= groupBytesMax
    if (fits && heldBack.size === 0) {
      this.#waiting = []
      this.#turns = []
      this.#waitingEvents = this.#waitingBytes = 0
      return waiting
    }
    const { group, later, turns } = nextGroup(waiting, this.#turns, heldBack)
    this.#waiting = later
    this.#turns = turns
    for (const request of group) this.#count(request, -1)
    return group
  }

  #count({ events, bytes }: Waiting, change: 1 | -1): void {
    this.#waitingEvents += change * events.length
    this.#waitingBytes += change * bytes
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    const accepted = await this.#store(group)
    if (accepted === null) return
    this.#options.afterCommit(accepted)
    answer(group, accepted)
  }

  /** Null when it failed; its requests have their answers then. */
  async #store(group: readonly Waiting[]): Promise<Accepted | null> {
    try {
      return await this.#options.store(group.flatMap(request => request.events))
    } catch (error) {
      if (group.length === 1 || this.#options.isAway(error))
        for (const request of group) request.reject(error)
      else for (const request of group) await this.#commit([request])
      return null
    }
  }
}

function answer(group: readonly Waiting[], { duplicateOf }: Accepted): void {
  let from = 0
  for (const request of group) {
    request.resolve(duplicateOf.slice(from, from + request.events.length))
    from += request.events.length
  }
}

interface Waiting {
  accountId: string
  events: readonly NewEvent[]
  bytes: number
  resolve: (duplicateOf: Accepted['duplicateOf']) => void
  reject: (error: unknown) => void
}
