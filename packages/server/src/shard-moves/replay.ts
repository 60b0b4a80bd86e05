import { endsWithin } from '../ends-within.ts'
import type { ShardMove } from './shard-servers.ts'

/** How far the target is behind, in bytes of the write-ahead log. */
export interface ReplayProgress {
  readonly bytesBehind: number
  /** The most that it was behind. */
  readonly bytesBehindMax: number
  readonly isComplete: boolean
}

/** The target may be this far behind when the source stops: it replays as much in less than a second. */
const enoughBytes = 16 * 1024 * 1024
const lagPollMs = 250
const pollMs = 20

/** How much of the source's log the target has not replayed. */
export async function bytesBehind({ source, target }: ShardMove): Promise<number> {
  const [now] = await source.db.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn')
  const [row] = await target.db.query<{ bytes: number }>(
    `select greatest(0, pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()))::bigint as bytes`,
    [now?.lsn],
  )
  return row?.bytes ?? 0
}

/** Waits until the target is almost up to date. */
export async function waitForLag(
  move: ShardMove,
  onProgress: (progress: ReplayProgress) => void,
): Promise<void> {
  let most = 0
  for (;;) {
    const behind = await bytesBehind(move)
    most = Math.max(most, behind)
    const isComplete = behind <= enoughBytes
    onProgress({ bytesBehind: behind, bytesBehindMax: most, isComplete })
    if (isComplete) return
    await move.wait(lagPollMs)
  }
}

/**
 * Waits until the target has replayed the log up to a position.
 * @throws Error if it takes too long, also if the target does not answer
 */
export async function waitForReplay({ target, wait }: ShardMove, lsn: string, msMax: number): Promise<void> {
  let isLate = false
  const replay = async (): Promise<void> => {
    while (!isLate) {
      const [row] = await target.db.query<{ has: boolean }>(
        'select pg_last_wal_replay_lsn() >= $1::pg_lsn as has',
        [lsn],
      )
      if (row?.has === true) return
      await wait(pollMs)
    }
  }
  if (await endsWithin(msMax, replay(), () => (isLate = true))) return
  throw new Error(
    `${target.name} did not receive the end of the log within ${msMax / 1_000} seconds: its log says why`,
  )
}
