import { HeldDeliveries } from '../../src/dispatch/held-deliveries.ts'
import { Claimer, type ClaimerOptions } from '../../src/dispatch/claimer.ts'
import { Scheduler } from '../../src/dispatch/scheduler.ts'
import { startProcess } from '../verbs/stored-delivery.ts'
import type { VerbContext } from '../verbs/verb-context.ts'

/** Creates a claimer whose process starts nothing, with a count of the claimed deliveries. */
export async function claimerAlone(
  ctx: VerbContext,
  options: Pick<ClaimerOptions, 'db'>,
): Promise<{ claimer: Claimer; claimed: () => number }> {
  const number = await startProcess(ctx, 3_600)
  let claimed = 0
  const claimer = new Claimer({
    clock: ctx.clock,
    number: () => number,
    drainPerSecond: 50,
    retry: { baseSeconds: 1, capSeconds: 1 },
    scheduler: new Scheduler({
      inFlightMax: 100,
      inFlightPerEndpointMax: 10,
      unsettled: () => 0,
      start: () => {},
    }),
    held: new HeldDeliveries(),
    mayClaim: () => true,
    onClaimed: deliveries => {
      claimed += deliveries.length
    },
    onError: error => {
      throw error
    },
    ...options,
  })
  return { claimer, claimed: () => claimed }
}
