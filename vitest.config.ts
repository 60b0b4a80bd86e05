import { defineConfig } from 'vitest/config'
import { occasion } from './bench/support/machine.ts'
import { ReliabilityReporter } from './tools/reliability/reliability-reporter.ts'
import { TallyReporter } from './tools/tally-reporter.ts'

export default defineConfig({
  resolve: { conditions: ['@posthorn/source', 'node'] },
  ssr: { resolve: { conditions: ['@posthorn/source', 'node'] } },
  test: {
    include: ['packages/**/*.test.ts', 'examples/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: ['packages/server/test/support/global-setup.ts'],
    testTimeout: 90_000,
    hookTimeout: 120_000,
    reporters: ['default', new ReliabilityReporter(occasion), new TallyReporter()],
    pool: 'forks',
    isolate: false,
    // two at a time leave a quarter of two cores idle: much of what the tests do is wait
    maxWorkers: 3,
    // a second try on a loaded machine, never in silence: the tally names each test that needed one
    retry: process.env.CI === undefined ? 0 : 1,
  },
})
