import { readFileSync, statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { buildDashboard } from '../../../tools/build-dashboard.ts'

const dist = new URL('../dist/', import.meta.url)
const entry = 'index.html'
const overview = 'src/pages/overview/overview-page.tsx'

interface Chunk {
  readonly file: string
  readonly css?: readonly string[]
  readonly assets?: readonly string[]
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
  readonly isDynamicEntry?: boolean
}

let manifest: Record<string, Chunk>

beforeAll(async () => {
  await buildDashboard()
  manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8')) as Record<string, Chunk>
})

test('the first page loads at most 200 kB of JavaScript and 20 kB of CSS, gzipped', () => {
  const chunks = withImports(overview, withImports(entry))
  expect(kB(scripts(chunks)), table(chunks)).toBeLessThanOrEqual(200)
  expect(kB(new Set([...chunks].flatMap(key => manifest[key]?.css ?? [])))).toBeLessThanOrEqual(20)
})

test('every other page adds at most 40 kB', () => {
  const first = withImports(entry)
  const pages = Object.keys(manifest).filter(
    key => key.startsWith('src/pages/') && key !== overview && manifest[key]?.isDynamicEntry,
  )
  expect(pages.length).toBeGreaterThan(20)
  for (const page of pages) {
    const more = new Set([...withImports(page)].filter(key => !first.has(key)))
    expect(kB(scripts(more)), `${page}\n${table(more)}`).toBeLessThanOrEqual(40)
  }
})

test('all fonts together are at most 100 kB', () => {
  const fonts = new Set(Object.values(manifest).flatMap(({ file, assets = [] }) => [file, ...assets]))
  const bytes = [...fonts]
    .filter(file => file.endsWith('.woff2'))
    .map(file => statSync(new URL(file, dist)).size)
  expect(bytes.length).toBe(3)
  expect(bytes.reduce((sum, size) => sum + size, 0) / 1000).toBeLessThanOrEqual(100)
})

test('the page contains no schema library', () => {
  expect(chunksWith('ZodError')).toEqual([])
})

test('React is built for production, even in a test', () => {
  // the development build has this message; production has a number instead
  expect(chunksWith('Hooks can only be called inside')).toEqual([])
})

function chunksWith(text: string): string[] {
  return Object.values(manifest)
    .map(({ file }) => file)
    .filter(file => file.endsWith('.js') && readFileSync(new URL(file, dist), 'utf8').includes(text))
}

function withImports(key: string, known = new Set<string>()): Set<string> {
  if (known.has(key)) return known
  known.add(key)
  for (const imported of manifest[key]?.imports ?? []) withImports(imported, known)
  return known
}

function scripts(keys: Iterable<string>): Set<string> {
  return new Set([...keys].flatMap(key => manifest[key]?.file ?? []).filter(file => file.endsWith('.js')))
}

function kB(files: Iterable<string>): number {
  return (
    [...files].reduce(
      (sum, file) => sum + gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length,
      0,
    ) / 1000
  )
}

function table(keys: Iterable<string>): string {
  return [...scripts(keys)].map(file => `${kB([file]).toFixed(1).padStart(8)} kB  ${file}`).join('\n')
}
