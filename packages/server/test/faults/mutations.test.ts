import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readMutations } from './source-copy.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

test.each(readMutations())('the patch still finds what it takes out: $takenOut', ({ patch }) => {
  // that a test then notices takes half an hour, and is G10
  expect(() => execFileSync('git', ['apply', '--check', patch], { cwd: root, stdio: 'pipe' })).not.toThrow()
})
