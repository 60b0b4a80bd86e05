import type { Reporter, TestModule } from 'vitest/node'
import type { FaultTold } from '../../packages/server/test/faults/fault.ts'
import type { FaultResult } from './fault-result.ts'

/** Prints the result of each injected fault and passes the results on. */
export class ReliabilityReporter implements Reporter {
  readonly #keep: (results: FaultResult[]) => void
  readonly #occasion: () => string

  constructor(occasion: () => string, keep: (results: FaultResult[]) => void = () => {}) {
    this.#occasion = occasion
    this.#keep = keep
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const results = faultResults(modules, this.#occasion())
    if (results.length === 0) return
    process.stdout.write('\nFaults injected:\n')
    for (const { id, held, promises, seen } of results) {
      const figures = seen.length === 0 ? '' : ` (${seen.join('; ')})`
      process.stdout.write(
        `  ${id.padEnd(4)}${held ? 'holds ' : 'BROKEN'}  ${promises.join('; ')}${figures}\n`,
      )
    }
    this.#keep(results)
  }
}

/** One result for each fault. It holds if all its tests passed. */
function faultResults(modules: readonly TestModule[], occasion: string): FaultResult[] {
  const told = modules.flatMap(module =>
    [...module.children.allTests()].flatMap(test => {
      const fault = test.meta()['fault'] as FaultTold | undefined
      return fault === undefined ? [] : [{ ...fault, held: test.result().state === 'passed' }]
    }),
  )
  return [...Map.groupBy(told, ({ id }) => id)].map(([id, tests]) => ({
    id,
    held: tests.every(({ held }) => held),
    promises: [...new Set(tests.map(({ promise }) => promise))],
    seen: [...new Set(tests.flatMap(({ seen }) => seen))],
    occasion,
  }))
}
