import type { Ctx } from './context.ts'
import type { Queryable } from './db/database.ts'
import type { DeliverySide } from './delivery-side.ts'
import type { Wake } from './dispatch/wake.ts'
import { isOptIn } from './domain/event-type.ts'
import type { Metrics } from './metrics.ts'
import { accept } from './outcomes/accept.ts'
import { Intake, type IntakeOptions } from './outcomes/intake.ts'
import type { Statistics } from './stats/statistics.ts'
import { enterSuppressions } from './suppressions/enter-suppressions.ts'

export interface IntakeSideOptions {
  hotDb: Queryable
  ctx: Ctx
  newId: () => string
  delivery: DeliverySide
  statistics: Statistics
  /** Whether this process sends deliveries. */
  sends: boolean
  wake: Wake
  metrics: Metrics
  /** Replaces `accept` in tests. */
  store: IntakeOptions['store'] | undefined
}

/** Creates the intake, which stores outcomes and passes new deliveries to the dispatcher after the commit. */
export function openIntake(options: IntakeSideOptions): Intake {
  const { hotDb, ctx, newId, delivery, statistics, sends, wake, metrics } = options
  const { dispatcher, throughput } = delivery
  const store: IntakeOptions['store'] = async (db, events, handOff) => {
    const capacity = dispatcher.capacity(handOff === 'small')
    return await accept(db, events, {
      capacity: sends && handOff !== 'none' ? capacity : { ...capacity, total: 0 },
      process: delivery.number(),
      countedAs: statistics.processNumber,
      monotonicMs: () => ctx.clock.monotonicMs(),
    })
  }
  return new Intake({
    db: hotDb,
    newId,
    store: options.store ?? store,
    answerLost: () => dispatcher.answerLost(),
    suppress: async (tx, entries) => await enterSuppressions({ ...ctx, db: tx }, entries),
    afterCommit: (events, { duplicateOf, handedOver, left, countedAs }) => {
      const stored = events.filter((_, n) => duplicateOf[n] === null)
      metrics.accepted(stored.length)
      throughput.count('accepted', stored.length)
      statistics.countOutcomes(
        stored.filter(({ type }) => !isOptIn(type)),
        countedAs,
      )
      if (sends) dispatcher.handOff(handedOver, left)
      if (left.length > 0) wake.sendToOthers(false)
    },
  })
}
