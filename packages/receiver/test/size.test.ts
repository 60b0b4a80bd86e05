import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

/** The size of an entry in bytes: bundled, minified and gzipped, without tree shaking. */
async function size(entry: string): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [new URL(`../src/${entry}.ts`, import.meta.url).pathname],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    external: ['node:crypto'],
  })
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
}

test('the root entry is at most 3 KiB, minified and gzipped', async () => {
  const bytes = await size('index')
  console.log(`root entry: ${bytes} bytes minified and gzipped`)
  expect(bytes).toBeGreaterThan(1000)
  expect(bytes).toBeLessThanOrEqual(3 * 1024)
})
