import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { citedPaths, codeBlocks, markdownPages, root } from './markdown.ts'

const pages = markdownPages()

test('every path that a document cites exists', () => {
  const cited = pages.flatMap(page => citedPaths(page).map(path => ({ page: page.path, path })))
  expect(cited.length).toBeGreaterThan(20)
  expect(cited.filter(({ path }) => !existsSync(join(root, path)))).toEqual([])
})

test('a path that does not exist is noticed', () => {
  const text = 'See `packages/server/src/nowhere.ts` and [there](docs/nowhere.md#part), not `npm ci`.'
  expect(citedPaths({ path: 'README.md', text })).toEqual([
    'packages/server/src/nowhere.ts',
    'docs/nowhere.md',
  ])
})

/** Their blocks are fragments to be put into an app of the reader's, for frameworks that are not all installed here. */
const fragments = /^(docs\/receiver\/|packages\/receiver\/README\.md$)/

test('every TypeScript block of the documents compiles against the workspace', () => {
  const whole = pages.filter(({ path }) => !fragments.test(path))
  const blocks = whole.flatMap(({ path, text }) => codeBlocks(text, 'ts').map(block => ({ path, ...block })))
  expect(blocks.filter(({ path }) => path === 'README.md')).not.toEqual([])
  expect(compile(blocks.map(({ path, line, code }) => ({ name: `${path}:${line}`, code })))).toBe('')
})

test('a block that does not compile is noticed', () => {
  const code = `import { verifyWebhook } from '@posthorn/receiver'\nawait verifyWebhook(1)\n`
  expect(compile([{ name: 'README.md:1', code }])).toMatch(/README\.md-1\.ts.*error TS2554/)
})

/** What the compiler says of modules that stand beside the workspace's own; empty when all is well. */
function compile(modules: ReadonlyArray<{ name: string; code: string }>): string {
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'posthorn-docs-'))
  try {
    const files = modules.map(({ name, code }) => {
      const file = `${name.replaceAll(/[/:]/g, '-')}.ts`
      writeFileSync(join(folder, file), `${code}\nexport {}\n`)
      return file
    })
    const compilerOptions = { noUnusedLocals: false }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] }),
    )
    const said = run(join(root, 'node_modules/.bin/tsc'), ['--project', folder, '--pretty', 'false'])
    // what is wrong elsewhere is for npm run check to say
    return said
      .split('\n')
      .filter(line => line.includes('posthorn-docs-'))
      .join('\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function run(program: string, args: string[]): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8', cwd: root })
  } catch (error) {
    if (error instanceof Error && 'stdout' in error) return String(error.stdout)
    throw error
  }
}
