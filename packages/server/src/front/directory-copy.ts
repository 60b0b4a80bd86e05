import { accountCode } from '../domain/account-code.ts'
import type { DirectoryPage, Placement } from '../shards/internal-api.ts'

/**
 * What the pages of a directory say, from its beginning to a version. No page says that a placement was removed, so it stays here
 * until another account gets its code. Its shard refuses requests for it as shard 0 would.
 */
export class DirectoryCopy {
  readonly byCode = new Map<number, Placement>()
  shards: ReadonlyMap<number, 'open' | 'closed'> = new Map()
  version = 0
  readonly #counts = new Map<number, number>()
  #epoch: string | null = null

  /** How many accounts are placed on a shard. */
  count(shard: number): number {
    return this.#counts.get(shard) ?? 0
  }

  /** Whether a page after this version says what changed; otherwise shard 0 was restored from a backup. */
  isContinuedBy(page: Pick<DirectoryPage, 'epoch' | 'version'>): boolean {
    if (this.version === 0) return true
    return page.epoch === this.#epoch && page.version >= this.version
  }

  enter(page: DirectoryPage): void {
    this.#epoch = page.epoch
    this.shards = new Map(page.shards.map(({ number, state }) => [number, state]))
    for (const placement of page.placements) this.#place(placement)
    this.version = page.version
  }

  #place(placement: Placement): void {
    const code = accountCode(placement.account_id)
    const before = this.byCode.get(code)
    if (before !== undefined) this.#counts.set(before.shard, this.count(before.shard) - 1)
    this.byCode.set(code, placement)
    this.#counts.set(placement.shard, this.count(placement.shard) + 1)
  }
}
