import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, expectTypeOf, test } from 'vitest'
import { attemptErrorCodes as listOfIndex } from '../src/index.ts'
import { attemptErrorCodes, type Delivery, type DeliveryState } from '../src/plain.ts'

test('nothing reachable from the plain entry at run time imports zod', async () => {
  const { files, packages } = await reachableFrom(new URL('../src/plain.ts', import.meta.url))
  expect(files.length).toBeGreaterThan(10)
  expect(packages).toEqual([])
})

test('zod is reachable from the full entry, so the check can detect it', async () => {
  const { packages } = await reachableFrom(new URL('../src/index.ts', import.meta.url))
  expect(packages).toEqual(['zod'])
})

test('the plain entry exports the types of every file in resources/', async () => {
  const text = await readFile(new URL('../src/plain.ts', import.meta.url), 'utf8')
  const whole = await readFile(new URL('../src/index.ts', import.meta.url), 'utf8')
  const resources = [...whole.matchAll(/'(\.\/resources\/[\w-]+\.ts)'/g)].map(([, path]) => path)
  expect(resources.length).toBeGreaterThan(10)
  for (const path of resources) expect(text).toContain(`export type * from '${path}'`)
})

test('both entries export the same list of attempt error codes', () => {
  expect(attemptErrorCodes).toBe(listOfIndex)
  // compiles only if the types of resources are exported
  expectTypeOf<Delivery['state']>().toEqualTypeOf<DeliveryState>()
})

/** Follows imports and exports that exist at run time. Type imports are erased. */
async function reachableFrom(entry: URL): Promise<{ files: string[]; packages: string[] }> {
  const files = new Set<string>()
  const packages = new Set<string>()
  const open = [entry]
  for (let url = open.pop(); url !== undefined; url = open.pop()) {
    if (files.has(url.href)) continue
    files.add(url.href)
    const text = await readFile(fileURLToPath(url), 'utf8')
    const imports = text.matchAll(/^(?:import|export)\s+(type\s)?[*{][^'"]*?\sfrom\s+'([^']+)'/gm)
    for (const [, kind = '', from = ''] of imports) {
      if (kind !== '') continue
      if (from.startsWith('.')) open.push(new URL(from, url))
      else packages.add(from)
    }
  }
  return { files: [...files], packages: [...packages] }
}
