import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { canRun, hasProgram } from '../support/can-run.ts'
import { readMutations } from './source-copy.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

const runs = canRun('whether each mutation still fits', hasProgram('git'), 'git')

test.runIf(runs).each(readMutations())(
  'the patch still finds the guard that it removes: $takenOut',
  ({ patch }) => {
    // running the tests on the mutants takes half an hour, which is G10
    expect(() => execFileSync('git', ['apply', '--check', patch], { cwd: root, stdio: 'pipe' })).not.toThrow()
  },
)
