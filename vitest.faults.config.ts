import { writeFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { occasion } from './bench/support/machine.ts'
import type { FaultResult } from './tools/reliability/fault-result.ts'
import { printReliability } from './tools/reliability/print-reliability.ts'
import { ReliabilityReporter } from './tools/reliability/reliability-reporter.ts'
import { keepResults } from './tools/reliability/results-folder.ts'
import { TallyReporter } from './tools/tally-reporter.ts'
import common from './vitest.config.ts'

/** Keeps what was seen, and prints the report from all that is kept. */
function keep(results: readonly FaultResult[]): void {
  keepResults(results)
  writeFileSync(new URL('docs/reliability.md', import.meta.url), printReliability())
}

/** The whole of the fault tests, one after the other: `npm run test:faults`. */
export default defineConfig({
  ...common,
  test: {
    ...common.test,
    include: ['packages/server/test/faults/**/*.{test,long}.ts'],
    reporters: ['default', new ReliabilityReporter(occasion, keep), new TallyReporter()],
    maxWorkers: 1,
    retry: 0,
  },
})
