import { Claimer, type ClaimerOptions } from '../../src/dispatch/claimer.ts'
import { GiveBack } from '../../src/dispatch/give-back.ts'
import { Holds } from '../../src/dispatch/holds.ts'
import { BulkPace } from '../../src/domain/bulk-pace.ts'
import { newId } from '../../src/new-id.ts'
import type { VerbContext } from '../verbs/verb-context.ts'
import { queueThatHolds } from './queue-that-holds.ts'

/** A claimer with room for what it claims, none of which is started, and how much it has claimed. */
export function claimerAlone(
  ctx: VerbContext,
  options: Pick<ClaimerOptions, 'db'> & Partial<ClaimerOptions>,
): { claimer: Claimer; claimed: () => number } {
  const processId = newId(ctx)
  const onError = (error: unknown): void => {
    throw error
  }
  let claimed = 0
  const claimer = new Claimer({
    clock: ctx.clock,
    processId,
    leaseMs: 60_000,
    drainPerSecond: 50,
    queue: queueThatHolds(),
    giveBack: new GiveBack(options.db, processId, new Holds(), onError),
    pace: new BulkPace(),
    rest: async () => {},
    mayTake: () => true,
    onClaimed: taken => {
      claimed += taken.length
    },
    onError,
    ...options,
  })
  return { claimer, claimed: () => claimed }
}
