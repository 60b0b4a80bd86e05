import { accountCode } from '../domain/account-code.ts'
import { AppError, accountMoving } from '../errors.ts'
import type { Front } from './front.ts'
import { shardUnavailable } from './shard-errors.ts'

/** How often to look again while an account is moving. */
const lookEveryMs = 100

/**
 * The shard of each account, by account code. Codes of unknown accounts are missing. Waits while an account is moving.
 *
 * @param untilMs when to give up, by the monotonic clock
 * @throws AppError `account_moving`, or `shard_unavailable` if an account is unknown and shard 0 cannot be asked
 */
export async function placeAccounts(
  front: Front,
  codes: ReadonlySet<number>,
  untilMs: number,
): Promise<Map<number, number>> {
  const { directory, clock } = front
  // an unknown account may be new
  const isAllKnown = [...codes].every(code => directory.find(code) !== undefined)
  if (!isAllKnown && !(await directory.refresh())) throw shardUnavailable(0)
  while ([...codes].some(code => directory.find(code)?.moving === true)) {
    if (clock.monotonicMs() >= untilMs) throw accountMoving()
    await awaitMove(front)
  }
  const placed = new Map<number, number>()
  for (const code of codes) {
    const placement = directory.find(code)
    if (placement !== undefined) placed.set(code, placement.shard)
  }
  return placed
}

/** Whether the directory has an account, and not only another one with the same code. */
export function isPlaced({ directory }: Pick<Front, 'directory'>, accountId: string): boolean {
  return directory.find(accountCode(accountId))?.account_id === accountId
}

/** Waits a moment and reads the directory again, because a shard said that an account moves, and it may know that earlier. */
export async function awaitMove({ directory, wait }: Pick<Front, 'directory' | 'wait'>): Promise<void> {
  await wait(lookEveryMs)
  await directory.refresh()
}

/** What a question returns, or null if it throws `account_moving`. */
export async function unlessMoving<Found>(question: Promise<Found>): Promise<Found | null> {
  try {
    return await question
  } catch (error) {
    if (error instanceof AppError && error.code === 'account_moving') return null
    throw error
  }
}

/** Whether an account is elsewhere now. Reads the directory first. */
export async function haveMoved(
  { directory }: Pick<Front, 'directory'>,
  placed: ReadonlyMap<number, number>,
): Promise<boolean> {
  if (!(await directory.refresh())) return false
  return [...placed].some(([code, shard]) => {
    const placement = directory.find(code)
    return placement !== undefined && (placement.moving || placement.shard !== shard)
  })
}
