import type { Clock } from '../context.ts'
import { countEach } from '../domain/count-each.ts'
import type { TakenDelivery } from '../domain/taken-delivery.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'
import type { QueueRooms } from './queue-rooms.ts'

/** How long a report waits at most, and how often it looks again. */
const waitMsMax = 100
const lookEveryMs = 4
/** What has waited for less than this is caught up with in a moment; behind more than that nobody waits. */
const nearMs = 1_000
/** Accounts with a backlog that are remembered at most. */
const remembered = 10_000

export interface RoomForBulkOptions {
  rooms: Pick<QueueRooms, 'total' | 'isCrowded'>
  clock: Clock
  /** Whether something of this account is known to be due that nobody holds, for a receiver that takes what it is sent. */
  hasDue: (accountId: string) => boolean
  /** False while nothing may be taken anyway, or while bulk has a pace of its own. */
  mayWait: () => boolean
  /** Passes time. */
  rest: (ms: number) => Promise<void>
}

/**
 * Lets what is reported in bulk wait for a moment before it is stored, until all of it can be handed over to this process. What
 * finds no room is left to claims, and so is everything behind it, which takes the database a fourth more for each delivery, for as
 * long as more is reported than is sent. Where receivers are slow, or a backlog is older than a second, nobody waits: then
 * it is for claims, and what is reported is stored as fast as it comes.
 */
export class RoomForBulk {
  readonly #options: RoomForBulkOptions
  /** Of accounts that had something due when they reported: until when claims are taken to catch up with it. */
  readonly #nearUntilMs = new Map<string, number>()

  constructor(options: RoomForBulkOptions) {
    this.#options = options
  }

  /** @param accountIds whose events are to be stored, one for each */
  async wait(accountIds: readonly string[]): Promise<void> {
    const { clock, rest } = this.#options
    const untilMs = clock.monotonicMs() + waitMsMax
    const events = countEach(accountIds)
    while (this.#isWorthIt(events, accountIds.length) && clock.monotonicMs() < untilMs)
      await rest(lookEveryMs)
  }

  /** These were claimed: how long they had waited tells whether claims are catching up. */
  claimed(claimed: readonly TakenDelivery[]): void {
    if (this.#nearUntilMs.size === 0) return
    const { clock } = this.#options
    for (const { accountId, eventId, attemptCount } of claimed) {
      if (attemptCount > 0 || !this.#nearUntilMs.has(accountId)) continue
      const isNear = clock.nowMs() - uuidV7Ms(eventId) < nearMs
      this.#nearUntilMs.set(accountId, clock.monotonicMs() + (isNear ? nearMs : 0))
    }
  }

  /** There is too little room, and soon there will be more. */
  #isWorthIt(events: ReadonlyMap<string, number>, count: number): boolean {
    const { rooms, mayWait } = this.#options
    if (!mayWait()) return false
    let fits = rooms.total >= count
    for (const [accountId, ofAccount] of events) {
      const backlog = this.#backlogOf(accountId)
      if (backlog === 'far') return false
      if (backlog === 'near' || rooms.isCrowded(accountId, ofAccount)) fits = false
    }
    return !fits
  }

  #backlogOf(accountId: string): 'none' | 'near' | 'far' {
    const nowMs = this.#options.clock.monotonicMs()
    if (!this.#options.hasDue(accountId)) {
      this.#nearUntilMs.delete(accountId)
      return 'none'
    }
    const untilMs = this.#nearUntilMs.get(accountId)
    if (untilMs !== undefined) return nowMs < untilMs ? 'near' : 'far'
    if (this.#nearUntilMs.size === remembered) this.#nearUntilMs.clear()
    this.#nearUntilMs.set(accountId, nowMs + nearMs)
    return 'near'
  }
}
