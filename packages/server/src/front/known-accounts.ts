import { accountCode } from '../domain/account-code.ts'
import { believedMs } from '../http/ask-recently.ts'
import { knownAccounts } from '../shards/internal-api.ts'
import type { Front } from './front.ts'
import { haveMoved, isPlaced, placeAccounts } from './place-accounts.ts'
import { readAnswer } from './read-answer.ts'
import { sendToShard } from './send-to-shard.ts'
import { shardUnavailable } from './shard-errors.ts'
import { patienceMs } from './shard.ts'

/** Above this number, answers that are no longer believed are removed. */
const believedMax = 100_000

/**
 * Knows which accounts exist. The directory keeps deleted accounts until their data is gone, so this asks their shards, and
 * believes an answer for a second. Otherwise one shard would store its part of a report that another shard refuses.
 */
export class KnownAccounts {
  readonly #front: Front
  /** Until when an account is believed to exist. */
  readonly #untilMs = new Map<string, number>()

  constructor(front: Front) {
    this.#front = front
  }

  /**
   * Finds the accounts that do not exist.
   * @throws AppError `shard_unavailable`, `account_moving`
   */
  async findUnknown(accountIds: Iterable<string>): Promise<ReadonlySet<string>> {
    const { clock } = this.#front
    const nowMs = clock.monotonicMs()
    const lateMs = nowMs + patienceMs
    const asked = [...new Set(accountIds)].filter(id => (this.#untilMs.get(id) ?? 0) <= nowMs)
    for (;;) {
      const placed = await placeAccounts(this.#front, new Set(asked.map(accountCode)), lateMs)
      // counts from before the question, because the answer may describe that moment
      const believedUntilMs = clock.monotonicMs() + believedMs
      const found = await this.#ask(asked, placed, lateMs)
      for (const id of found) this.#believe(id, believedUntilMs)
      const unknown = asked.filter(id => !found.has(id))
      const isLate = clock.monotonicMs() > lateMs
      // an account that is moving is at neither shard for a moment
      if (unknown.length === 0 || isLate || !(await haveMoved(this.#front, placed))) return new Set(unknown)
    }
  }

  async #ask(
    accountIds: readonly string[],
    placed: ReadonlyMap<number, number>,
    untilMs: number,
  ): Promise<Set<string>> {
    const byShard = new Map<number, string[]>()
    for (const id of accountIds) {
      const shard = placed.get(accountCode(id))
      if (shard === undefined || !isPlaced(this.#front, id)) continue
      const ids = byShard.get(shard) ?? []
      byShard.set(shard, ids)
      ids.push(id)
    }
    const found = [...byShard].map(async ([shard, ids]) => await this.#askShard(shard, ids, untilMs))
    return new Set((await Promise.all(found)).flat())
  }

  async #askShard(shard: number, accountIds: readonly string[], untilMs: number): Promise<string[]> {
    const call = {
      method: 'POST',
      path: '/internal/known-accounts',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ account_ids: accountIds })),
      isRepeatable: true,
    }
    const answer = await sendToShard(this.#front, { shard }, call, untilMs)
    const body = await readAnswer(answer)
    if (answer.status !== 200) throw shardUnavailable(shard)
    return knownAccounts.parse(body).account_ids
  }

  #believe(accountId: string, untilMs: number): void {
    if (this.#untilMs.size >= believedMax) {
      const nowMs = this.#front.clock.monotonicMs()
      for (const [known, until] of this.#untilMs) if (until <= nowMs) this.#untilMs.delete(known)
    }
    this.#untilMs.set(accountId, untilMs)
  }
}
