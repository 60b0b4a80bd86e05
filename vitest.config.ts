import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['@posthorn/source', 'node', 'import', 'module', 'default'] },
  ssr: { resolve: { conditions: ['@posthorn/source', 'node', 'import', 'module', 'default'] } },
  test: {
    include: ['packages/**/*.test.ts', 'examples/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
