import type { RetryPolicy } from '../domain/backoff.ts'
import { msUntilCutOver } from '../domain/cut-over-time.ts'
import { purgeMovedAccount } from '../maintenance/purge-moved-accounts.ts'
import { checkDomains, checkSchemas } from './check-move.ts'
import { copyMissingPartitions } from './copy-missing-partitions.ts'
import { type CopyProgress, estimateRows, isCaughtUp, readProgress } from './copy-progress.ts'
import { handOver } from './hand-over.ts'
import { type WithoutMigrations, withMoveLocks } from './locks.ts'
import { changeStep, type MoveStep, readMove } from './move-state.ts'
import type { Move } from './moved-account.ts'
import { moveStatistics } from './move-statistics.ts'
import { writePlacement } from './placement.ts'
import { publish, refuseIncomplete, unpublish } from './publication.ts'
import { resumeAccount, stopAccount } from './stop-account.ts'
import { continueSubscription, subscribe, unsubscribe } from './subscription.ts'

export interface MoveOptions {
  retry: RetryPolicy
  nowMs: () => number
  onProgress: (progress: CopyProgress) => void
  /** Called before each step, with words for people. */
  onStep: (step: string) => void
}

/** What a finished move reports. */
export interface MoveReport {
  /** How long the account was in use on no shard, in milliseconds; null if an earlier command stopped it. */
  stoodStillMs: number | null
}

const pollMs = 20
const copyPollMs = 250

/**
 * Moves an account to another shard. Every step is stored before it begins and can be repeated, so the command can be
 * killed at any time. At every moment at most one shard has the row of the account, and only that shard works for it.
 */
export async function moveAccount(move: Move, options: MoveOptions): Promise<MoveReport> {
  const report: MoveReport = { stoodStillMs: null }
  await withMoveLocks(move, async withoutMigrations => {
    if ((await begin(move)) === 'cancelling') {
      throw new Error('this move is being undone; repeat the command with --cancel to finish that')
    }
    if (!(await hasArrived(move))) await transfer(move, options, withoutMigrations, report)
    await finish(move, options)
  })
  return report
}

/** Stores that the account moves. Returns the step. */
async function begin({ source, target, accountId }: Move): Promise<MoveStep> {
  await source.db.query(
    `insert into account_move (account_id, from_shard, to_shard, step) values ($1, $2, $3, 'copying')
     on conflict do nothing`,
    [accountId, source.number, target.number],
  )
  const state = await readMove(source.db, accountId)
  if (state === null) throw new Error('the move could not be stored')
  if (state.toShard !== target.number) {
    throw new Error(
      `the account already moves to shard ${state.toShard}; finish that with --to ${state.toShard}, or undo it with --cancel`,
    )
  }
  return state.step
}

async function hasArrived({ source, target, accountId }: Move): Promise<boolean> {
  const step = (await readMove(source.db, accountId))?.step
  return (
    step === 'handed_over' || step === 'left' || (await readMove(target.db, accountId))?.step === 'arrived'
  )
}

async function transfer(
  move: Move,
  options: MoveOptions,
  withoutMigrations: WithoutMigrations,
  report: MoveReport,
): Promise<void> {
  await refuseIncomplete(move)
  await continueSubscription(move)
  const isInUse = (await readMove(move.source.db, move.accountId))?.step === 'copying'
  if (isInUse) await copy(move, options)
  await withoutMigrations(async () => {
    await checkSchemas(move)
    await checkDomains(move)
    const startedAtMs = options.nowMs()
    options.onStep('stopping the account')
    await stop(move, options)
    options.onStep('handing it over')
    try {
      await takeOver(move)
    } catch (error) {
      throw standsStill(error)
    }
    if (isInUse) report.stoodStillMs = options.nowMs() - startedAtMs
  })
}

/** When it returns, the other shard has the account. */
async function takeOver(move: Move): Promise<void> {
  await waitForLastChange(move)
  await refuseIncomplete(move)
  await unsubscribe(move)
  await handOver(move)
  await writePlacement(move.directory.db, move.accountId, { shard: move.target.number, moving: false })
}

function standsStill(error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error)
  return new Error(
    `${reason}. The account stands still: repeat the command, or undo the move with --cancel`,
    { cause: error },
  )
}

/** Returns when the other shard has almost everything, and the account may stand still now. */
async function copy(move: Move, options: MoveOptions): Promise<void> {
  options.onStep('copying')
  await purgeMovedAccount(move.target.db, move.accountId)
  await publish(move)
  await copyMissingPartitions(move)
  await subscribe(move)
  const estimates = await estimateRows(move)
  for (;;) {
    await waitUntilCopied(move, estimates, options)
    const ms = msUntilCutOver(options.nowMs())
    if (ms === 0) return
    options.onStep('waiting until it is well after midnight UTC')
    await move.wait(ms)
  }
}

async function waitUntilCopied(
  move: Move,
  estimates: ReadonlyMap<string, number>,
  { onProgress }: MoveOptions,
): Promise<void> {
  for (;;) {
    // the other shard may have dropped an old day earlier
    await copyMissingPartitions(move)
    const progress = await readProgress(move, estimates)
    onProgress(progress)
    if (progress.isComplete && (await isCaughtUp(move))) return
    await move.wait(copyPollMs)
  }
}

/** If it cannot be stopped in time, the source goes on. */
async function stop(move: Move, { retry }: MoveOptions): Promise<void> {
  if ((await readMove(move.source.db, move.accountId))?.step === 'stopped') return
  try {
    await stopAccount(move, retry)
  } catch (error) {
    try {
      await resumeAccount(move)
    } catch {
      throw standsStill(error)
    }
    throw error
  }
}

/** When the other shard sees the step `stopped`, it has everything, because changes arrive in the order of their commits. */
async function waitForLastChange(move: Move): Promise<void> {
  while ((await readMove(move.target.db, move.accountId))?.step !== 'stopped') {
    if ((await readMove(move.source.db, move.accountId))?.step !== 'stopped')
      throw new Error('another command has undone this move')
    await readProgress(move, new Map())
    await move.wait(pollMs)
  }
}

/** The other shard has the account. */
async function finish(move: Move, { onStep }: MoveOptions): Promise<void> {
  const { source, target, directory, accountId } = move
  await changeStep(source.db, accountId, ['stopped'], 'handed_over')
  await writePlacement(directory.db, accountId, { shard: target.number, moving: false })
  await unpublish(move)
  onStep('moving the statistics')
  await moveStatistics(move)
  await changeStep(source.db, accountId, ['handed_over'], 'left')
}
