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
  writeFileSync(new URL('docs/maintaining/reliability.md', import.meta.url), printReliability())
}

/** What is run before a release, one file after the other: `npm run test:long`. */
export default defineConfig({
  ...common,
  test: {
    ...common.test,
    include: [
      'packages/server/test/**/*.{test,long}.ts',
      'bench/**/*.{test,long}.ts',
      'examples/**/*.long.ts',
    ],
    env: { POSTHORN_TEST_EVERY_DATABASE: '1' },
    reporters: ['default', new ReliabilityReporter(occasion, keep), new TallyReporter()],
    isolate: true,
    maxWorkers: 1,
  },
})
