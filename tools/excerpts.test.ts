import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { pages, withExcerpts } from './excerpts.ts'
import { type FirstHour, runFirstHour } from './first-hour.ts'
import { root } from './markdown.ts'

let printed: FirstHour
beforeAll(async () => {
  printed = await runFirstHour()
})

test.each(pages)('%s shows the current output of the first commands: npm run excerpts updates it', path => {
  const page = readFileSync(join(root, path), 'utf8')
  expect(page).toContain('<!-- excerpt: ')
  expect(withExcerpts(page, printed)).toBe(page)
})

test('a changed line is found, and a different duration is ignored', () => {
  const page = readFileSync(join(root, 'README.md'), 'utf8')
  const changed = page.replace('API reference   http', 'Reference       http')
  expect(changed).not.toBe(page)
  expect(withExcerpts(changed, printed)).toBe(page)
  const slower = page.replace(/ \d+ ms {2}/, '123 ms  ')
  expect(slower).not.toBe(page)
  expect(withExcerpts(slower, printed)).toBe(slower)
})
