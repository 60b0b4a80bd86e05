import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { markdownPages, root } from './markdown.ts'
import { listedWords } from './word-list.ts'

const generated = '<!-- Printed by tools/generate.ts'
const pages = markdownPages().filter(({ text }) => !text.startsWith(generated))

test('pages, sources and the API description use none of the listed words', () => {
  const paths = globSync('{packages/*/src/**/*.{ts,tsx,js,css,html},docs/openapi.json}', {
    cwd: root,
    exclude: ['**/*.test.{ts,tsx}'],
  })
  const sources = paths.sort().map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  expect(sources.length).toBeGreaterThan(500)
  const findings = [...pages, ...sources].flatMap(({ path, text }) =>
    listedWords(text).map(
      ({ line, found, instead }) => `${path}:${line}: instead of “${found}” write ${instead}`,
    ),
  )
  expect(findings).toEqual([])
})

test('a listed word is found, even across the lines of a comment, but not inside another word', () => {
  const text =
    ' * The limit of endpoints, for\n * as long as they fail.\n // Whoever asks\n bearer, forever, suspect'
  expect(listedWords(text).map(({ line, found }) => `${line} ${found}`)).toEqual([
    '3 Whoever',
    '1 for as long as',
  ])
})

test('every page is within its word limit', () => {
  const measured = pages.filter(({ path }) => /^([^/]+|docs\/.*|packages\/[^/]+\/README)\.md$/.test(path))
  expect(measured.length).toBeGreaterThan(40)
  const tooLong = measured
    .map(({ path, text }) => ({ path, words: countWords(text), allowed: wordsAllowed[path] ?? 1_200 }))
    .filter(({ words, allowed }) => words > allowed)
  expect(tooLong).toEqual([])
})

test('the decisions together have at most 2,200 words', () => {
  const decisions = pages.filter(({ path }) => path.startsWith('docs/decisions/'))
  expect(decisions.length).toBeGreaterThan(15)
  expect(decisions.reduce((sum, { text }) => sum + countWords(text), 0)).toBeLessThanOrEqual(2_200)
})

/** Where it is not the usual 1,200. */
const wordsAllowed: Readonly<Record<string, number>> = {
  'README.md': 700,
  'docs/architecture.md': 2_500,
  'docs/performance.md': 1_500,
  'docs/run/scaling.md': 1_500,
  // a record, and statements with their plans
  'CHANGELOG.md': Number.POSITIVE_INFINITY,
  'docs/maintaining/queries.md': Number.POSITIVE_INFINITY,
}

function countWords(text: string): number {
  return text.split(/\s+/).filter(word => word !== '').length
}
