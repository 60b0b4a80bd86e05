import { msUntilCutOver } from '../domain/cut-over-time.ts'
import { checkShardMove, refuseLogicalReplication } from './check-shard-move.ts'
import { fence, hasFence, liftFence } from './fence.ts'
import { readShardMove } from './read-server.ts'
import { type ReplayProgress, waitForLag, waitForReplay } from './replay.ts'
import { isTrue, type Locked, refuseMigrations, withShardMoveLocks } from './shard-move-locks.ts'
import { openShardServer, type ShardMove } from './shard-servers.ts'

export interface ShardMoveOptions {
  nowMs: () => number
  onProgress: (progress: ReplayProgress) => void
  /** Called before each step, with words for people. */
  onStep: (step: string) => void
}

/** What a finished move reports. */
export interface ShardMoveReport {
  /** How long no server accepted writes, in milliseconds; null if an earlier command had moved the shard. */
  stoodStillMs: number | null
}

const replayMsMax = 30_000
const promoteSecondsMax = 50

/**
 * Moves a shard to its standby. The command can be killed at any time and repeated. At every moment at most one server accepts
 * writes: the source is fenced before the target is promoted, and the fence is only lifted while nothing can promote it.
 */
export async function moveShard(move: ShardMove, options: ShardMoveOptions): Promise<ShardMoveReport> {
  return await withShardMoveLocks(move, async locked => {
    if ((await readShardMove(move)) === 'moved') return { stoodStillMs: null }
    await checkShardMove(move)
    await waitUntilReady(move, options)
    // much may have changed meanwhile
    await checkShardMove(move)
    await refuseMigrations(locked)
    const startedAtMs = options.nowMs()
    options.onStep('stopping writes')
    await stopWrites(move, locked)
    options.onStep('promoting the standby')
    await promote(move, locked)
    return { stoodStillMs: options.nowMs() - startedAtMs }
  })
}

/** A shard that stands still already does not wait for the time of day. */
async function waitUntilReady(
  move: ShardMove,
  { nowMs, onProgress, onStep }: ShardMoveOptions,
): Promise<void> {
  onStep('waiting for the standby')
  for (;;) {
    await waitForLag(move, onProgress)
    const ms = msUntilCutOver(nowMs())
    if (ms === 0 || (await hasFence(move.source))) return
    onStep('waiting until it is well after midnight UTC')
    await move.wait(ms)
  }
}

/** If the target cannot take over in time, the source goes on. */
async function stopWrites(move: ShardMove, locked: Locked): Promise<void> {
  try {
    const end = await fence(move, locked)
    await refuseLogicalReplication(move)
    await waitForReplay(move, end, replayMsMax)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    try {
      await liftFence(move, locked)
    } catch {
      throw new Error(
        `${reason}. ${move.source.name} may still refuse writes: repeat the command, or run it with --cancel`,
        { cause: error },
      )
    }
    throw new Error(`${reason}. ${move.source.name} accepts writes again`, { cause: error })
  }
}

/** From its first statement on, nothing may lift the fence. */
async function promote({ target }: ShardMove, { onTarget }: Locked): Promise<void> {
  const answerMsMax = (promoteSecondsMax + 10) * 1_000
  if (!(await isTrue(onTarget, 'pg_promote(true, $1)', [promoteSecondsMax], answerMsMax))) {
    throw new Error(
      `${target.name} was not promoted within ${promoteSecondsMax} seconds: read its log, and repeat the command`,
    )
  }
  await using session = await openShardServer(target.url)
  const [now] = await session.db.query<{ refuses: boolean }>(
    `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as refuses`,
  )
  if (now?.refuses !== false) throw new Error(`${target.name} was promoted, but it accepts no writes`)
}
