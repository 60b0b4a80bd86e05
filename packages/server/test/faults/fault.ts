import { test } from 'vitest'
import type { FaultId } from './catalogue.ts'

/** What a fault test says of itself to the report. */
export interface FaultTold {
  id: FaultId
  /** What holds although the fault happens: the test's name. */
  promise: string
  /** What was counted while it ran, each in a few words: "3 kills, 2,000 events, 2 duplicates". */
  seen: string[]
}

declare module 'vitest' {
  interface TaskMeta {
    fault?: FaultTold
  }
}

/**
 * A test that injects the fault `id` of the catalogue and shows that `promise` holds. `seen` adds a figure to the
 * report; it decides nothing.
 */
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
