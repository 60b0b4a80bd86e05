import type { Database } from '../../src/db/database.ts'
import { type VerbContext, verbContext } from '../verbs/verb-context.ts'

/** A context whose clocks stand still until the test moves them. */
export function movingClock(db: Database): { ctx: VerbContext; pass: (ms: number) => void } {
  const time = { nowMs: Date.now(), monotonicMs: 0 }
  return {
    ctx: {
      ...verbContext(db),
      clock: { nowMs: () => time.nowMs, monotonicMs: () => time.monotonicMs },
    },
    pass: ms => {
      time.nowMs += ms
      time.monotonicMs += ms
    },
  }
}
