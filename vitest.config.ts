import { defineConfig } from 'vitest/config'
import { occasion } from './bench/support/machine.ts'
import { ReliabilityReporter } from './tools/reliability/reliability-reporter.ts'
import { SlowFirst } from './tools/slow-first.ts'
import { TallyReporter } from './tools/tally-reporter.ts'

export default defineConfig({
  resolve: { conditions: ['@posthorn/source', 'node'] },
  ssr: { resolve: { conditions: ['@posthorn/source', 'node'] } },
  test: {
    include: ['packages/**/*.test.ts', 'examples/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: ['packages/server/test/support/global-setup.ts'],
    // only what hangs gets there, also on a machine that does much else
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // a loaded machine takes its time to end a browser
    teardownTimeout: 60_000,
    reporters: ['default', new ReliabilityReporter(occasion), new TallyReporter()],
    pool: 'forks',
    // test files of a worker share its modules, its browser and its dashboard service
    isolate: false,
    sequence: { sequencer: SlowFirst },
    // twice as many as two cores, because tests mostly wait
    maxWorkers: 4,
  },
})
