import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('the library judges every unusual input of the comparison correctly', () => {
  const script = new URL('compare.ts', import.meta.url).pathname
  // Exits with 1, which throws here, if the library is wrong anywhere.
  const table = execFileSync(process.execPath, ['--conditions=@posthorn/source', script], {
    encoding: 'utf8',
  })
  expect(table.split('\n').length).toBeGreaterThan(18)
})
