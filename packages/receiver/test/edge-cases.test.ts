import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { vectors } from './vectors.ts'

/** The edge cases by number: header, time, signature, rotation, body, configuration, payload, adapter, dedupe. */
const CASES = { H: 23, T: 24, S: 20, R: 10, B: 18, C: 13, P: 9, A: 8, D: 7 }
// The README covers A8, a handler that takes longer than the sender's timeout.
const DOCUMENTED = ['A8']

test('every numbered edge case has a vector or a test with its number', () => {
  const tests = globSync('*.ts', { cwd: import.meta.dirname })
    .map(name => readFileSync(join(import.meta.dirname, name), 'utf8'))
    .join('\n')
  const tagged = new Set([...vectors.verify, ...vectors.config].flatMap(vector => vector.tags))
  const all = Object.entries(CASES).flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, i) => `${letter}${i + 1}`),
  )
  const missing = all.filter(
    id =>
      !tagged.has(id) && !new RegExp(`['\`](?:[A-Z]\\d+ )*${id} `).test(tests) && !DOCUMENTED.includes(id),
  )
  expect(missing).toEqual([])
})
