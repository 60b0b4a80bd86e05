import type { Database } from '../db/database.ts'

/** A shard as the command line reaches it. */
export interface ShardDatabase {
  readonly number: number
  readonly url: string
  readonly db: Database
}

/** What every step of a move needs. */
export interface Move {
  /** UUID. */
  readonly accountId: string
  readonly source: ShardDatabase
  readonly target: ShardDatabase
  /** Shard 0. */
  readonly directory: ShardDatabase
  /** The name of publication, subscription and replication slot. */
  readonly name: string
  readonly wait: (ms: number) => Promise<void>
}

/** @example moveName('01890a5d-ac96-774b-bcce-b302099a8057') // 'posthorn_move_099a8057' */
export function moveName(accountId: string): string {
  return `posthorn_move_${accountId.slice(-8)}`
}
