import { test } from 'vitest'
import type { FaultId } from './catalogue.ts'

/** The result of a fault test for the report. */
export interface FaultTold {
  id: FaultId
  /** The name of the test: what holds although the fault happens. */
  promise: string
  /** Figures from the run: "3 kills, 2,000 events, 2 duplicates". */
  seen: string[]
}

declare module 'vitest' {
  interface TaskMeta {
    fault?: FaultTold
  }
}

/** A test that injects the fault `id` of the catalogue and shows that `promise` holds. `seen` adds a figure to the report. */
export function fault(
  id: FaultId,
  promise: string,
  run: (seen: (figure: string) => void) => Promise<void>,
  timeoutMs = 300_000,
): void {
  test(`${id}: ${promise}`, { timeout: timeoutMs }, async ({ task }) => {
    const told: FaultTold = { id, promise, seen: [] }
    task.meta.fault = told
    await run(figure => told.seen.push(figure))
  })
}
