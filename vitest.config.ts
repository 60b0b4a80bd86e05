import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['@posthorn/source', 'node'] },
  ssr: { resolve: { conditions: ['@posthorn/source', 'node'] } },
  test: {
    include: ['packages/**/*.test.ts', 'examples/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: ['packages/server/test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
