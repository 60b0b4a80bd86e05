import type { Accepted, NewEvent } from './accept.ts'
import { AppError } from '../errors.ts'

/** Most events and bytes of bodies in one statement. */
const groupEventsMax = 1_000
const groupBytesMax = 4 * 1024 * 1024

/** Beyond these, a request is refused at once instead of waiting for what it cannot get. */
const waitingRequestsMax = 10_000
const waitingBytesMax = 64 * 1024 * 1024

export interface GroupCommitOptions {
  /** Stores events in one statement. */
  store: (events: readonly NewEvent[]) => Promise<Accepted>
  /** Called after the commit, before the requests are answered. */
  afterCommit: (accepted: Accepted) => void
  /** True when an error says that the database is away, so that trying each request alone is pointless. */
  isAway: (error: unknown) => boolean
}

/**
 * Gathers the requests that arrive while a commit is under way into the next one, so that the cost of a commit is
 * shared by all who wait for it and nobody waits for a timer. Accounts take turns when not all fit. When a group
 * fails, its requests are tried one by one, and only the guilty one gets the error.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions
  /** Per account, oldest first; the accounts in the order of their turn. */
  readonly #waiting = new Map<string, Waiting[]>()
  #waitingRequests = 0
  #waitingBytes = 0
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
    if (this.#waitingRequests >= waitingRequestsMax || this.#waitingBytes + bytes > waitingBytesMax) {
      throw new AppError(
        'overloaded',
        'More is arriving than can be stored; repeat the request after a second.',
      )
    }
    return await new Promise((resolve, reject) => {
      this.#enqueue({ events, bytes, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /** Resolves when nothing waits any more. */
  async drain(): Promise<void> {
    await this.#running
  }

  #enqueue(request: Waiting): void {
    const accountId = request.events[0]?.accountId ?? ''
    const queue = this.#waiting.get(accountId)
    if (queue === undefined) this.#waiting.set(accountId, [request])
    else queue.push(request)
    this.#waitingRequests++
    this.#waitingBytes += request.bytes
  }

  async #run(): Promise<void> {
    // what arrives in the same turn of the event loop belongs to the same group
    await new Promise(resolve => setImmediate(resolve))
    while (this.#waitingRequests > 0) await this.#commit(this.#nextGroup())
    this.#running = undefined
  }

  #nextGroup(): Waiting[] {
    const group: Waiting[] = []
    let events = 0
    let bytes = 0
    for (let progress = true; progress; ) {
      progress = false
      for (const [accountId, queue] of this.#waiting) {
        const request = queue[0]
        const fits =
          request !== undefined &&
          events + request.events.length <= groupEventsMax &&
          bytes + request.bytes <= groupBytesMax
        if (request === undefined || (!fits && group.length > 0)) continue
        queue.shift()
        // to the end of the line, so that the next group begins with another account
        this.#waiting.delete(accountId)
        if (queue.length > 0) this.#waiting.set(accountId, queue)
        group.push(request)
        events += request.events.length
        bytes += request.bytes
        progress = events < groupEventsMax && bytes < groupBytesMax
        if (!progress) break
      }
    }
    this.#waitingRequests -= group.length
    this.#waitingBytes -= bytes
    return group
  }

  async #commit(group: Waiting[]): Promise<void> {
    try {
      const accepted = await this.#options.store(group.flatMap(request => request.events))
      this.#options.afterCommit(accepted)
      let from = 0
      for (const request of group) {
        request.resolve(accepted.duplicateOf.slice(from, from + request.events.length))
        from += request.events.length
      }
    } catch (error) {
      if (group.length === 1 || this.#options.isAway(error))
        for (const request of group) request.reject(error)
      else for (const request of group) await this.#commit([request])
    }
  }
}

interface Waiting {
  events: readonly NewEvent[]
  bytes: number
  resolve: (duplicateOf: Accepted['duplicateOf']) => void
  reject: (error: unknown) => void
}
