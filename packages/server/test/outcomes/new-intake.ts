import type { Database } from '../../src/db/database.ts'
import { newId } from '../../src/new-id.ts'
import { accept } from '../../src/outcomes/accept.ts'
import { Intake, type IntakeOptions } from '../../src/outcomes/intake.ts'
import { enterSuppressions } from '../../src/suppressions/enter-suppressions.ts'
import { verbContext } from '../verbs/verb-context.ts'

/** The intake of a process that sends nothing. Two intakes on one database act like two processes. */
export function newIntake(db: Database, overrides: Partial<IntakeOptions> = {}): Intake {
  const ctx = verbContext(db)
  return new Intake({
    db,
    newId: () => newId(ctx),
    store: async (queryable, events) =>
      await accept(queryable, events, {
        capacity: { total: 0, perEndpoint: 0, known: () => new Map() },
        process: 0,
        countedAs: 0,
        monotonicMs: () => performance.now(),
      }),
    suppress: async (tx, entries) => await enterSuppressions({ ...ctx, db: tx }, entries),
    afterCommit: () => {},
    answerLost: () => {},
    ...overrides,
  })
}
