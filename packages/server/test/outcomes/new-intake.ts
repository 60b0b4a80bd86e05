import type { Database } from '../../src/db/database.ts'
import { BulkPace } from '../../src/domain/bulk-pace.ts'
import { newId } from '../../src/new-id.ts'
import { accept } from '../../src/outcomes/accept.ts'
import { openOutcomes, type Outcomes, type OutcomesDependencies } from '../../src/outcomes/accept-outcomes.ts'
import { enterSuppressions } from '../../src/suppressions/enter-suppressions.ts'
import { verbContext } from '../verbs/verb-context.ts'

/** Where outcomes enter one process; two of them on one database are two processes. */
export function newIntake(db: Database, overrides: Partial<OutcomesDependencies> = {}): Outcomes {
  const ctx = verbContext(db)
  return openOutcomes({
    db,
    kept: db.keptConnection(),
    clock: ctx.clock,
    pace: new BulkPace(),
    rest: async () => {},
    newId: () => newId(ctx),
    mayPause: db.kind === 'server',
    roomForBulk: async () => {},
    store: async (queryable, events) =>
      await accept(queryable, events, {
        rooms: { total: 0, perEndpoint: 0, known: () => new Map() },
        processId: null,
        leaseMs: 30_000,
        monotonicMs: () => performance.now(),
      }),
    suppress: async (tx, entries) => await enterSuppressions({ ...ctx, db: tx }, entries),
    afterCommit: () => {},
    ...overrides,
  })
}
