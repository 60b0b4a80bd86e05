import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('every bench runs briefly and its ledger balances', { timeout: 1_800_000 }, () => {
  const run = join(import.meta.dirname, 'run.ts')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=@posthorn/source', run, '--quick'],
    { encoding: 'utf8' },
  )
  expect(status, stdout + stderr).toBe(0)
  expect(stdout).toContain('Every ledger balances.')
})
