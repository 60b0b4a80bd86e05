import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { citedPaths, codeBlocks, jsdocExamples, markdownPages, root } from './markdown.ts'

const pages = markdownPages()

test('every path that a document cites exists', () => {
  const cited = pages.flatMap(page => citedPaths(page).map(path => ({ page: page.path, path })))
  expect(cited.length).toBeGreaterThan(20)
  expect(cited.filter(({ path }) => !existsSync(join(root, path)))).toEqual([])
})

test('cited paths are found in code and in links, and a command is not a path', () => {
  const text = 'See `packages/server/src/nowhere.ts` and [there](docs/nowhere.md#part), not `npm ci`.'
  expect(citedPaths({ path: 'README.md', text })).toEqual([
    'packages/server/src/nowhere.ts',
    'docs/nowhere.md',
  ])
})

test('every TypeScript block in the documents compiles against the workspace', () => {
  const blocks = pages.flatMap(({ path, text }) => codeBlocks(text, 'ts').map(block => ({ path, ...block })))
  for (const page of ['docs/first-event.md', 'packages/receiver/README.md', 'docs/receiver/nest.md']) {
    expect(blocks.map(({ path }) => path)).toContain(page)
  }
  const [whole, parts] = [false, true].map(isPart =>
    blocks.filter(({ path }) => fragments.test(path) === isPart),
  )
  expect(compile(named(whole))).toBe('')
  expect(compile(named(parts), readersApp)).toBe('')
})

test('every @example of the receiver compiles with the package’s exports in scope', () => {
  const examples = globSync('packages/receiver/src/*.ts', { cwd: root }).flatMap(path =>
    jsdocExamples(readFileSync(join(root, path), 'utf8')).map(example => ({ path, ...example })),
  )
  expect(examples.length).toBeGreaterThan(15)
  expect(compile(named(examples), readersApp + receiverExports())).toBe('')
})

test('a fragment that does not compile is reported', () => {
  const code =
    "if (isEvent(await verifier.constructEvent(body, headers), 'email.bounced')) await suppress(secret)"
  const said = (fragment: string, atHand: string) => compile([{ name: 'a.ts:1', code: fragment }], atHand)
  expect(said(code, readersApp + receiverExports())).toBe('')
  expect(said(code.replace('bounced', 'opened'), readersApp + receiverExports())).toMatch(/error TS2345/)
  expect(said(code, readersApp)).toMatch(/Cannot find name 'isEvent'/)
})

test('a block that does not compile is reported', () => {
  const code = `import { verifyWebhook } from '@posthorn/receiver'\nawait verifyWebhook(1)\n`
  expect(compile([{ name: 'README.md:1', code }])).toMatch(/README\.md-1\.ts.*error TS2554/)
})

/** Pages with code fragments for the reader's own app. */
const fragments = /^(docs\/receiver\/|packages\/receiver\/README\.md$)/

/** The declarations that fragments need from that app, and those of Nest, which is not installed here. */
const readersApp = `
declare const secret: string, newSecret: string, oldSecret: string, url: string
declare const request: Request, headers: Headers, body: Uint8Array, rawBody: Uint8Array
declare const verifier: import('@posthorn/receiver').WebhookVerifier
declare const store: import('@posthorn/receiver/dedupe').DedupeStore
declare function updateContact(event: import('@posthorn/receiver').WebhookEvent): Promise<void>
declare function suppress(address: string): Promise<void>
declare function POST(request: Request): Promise<Response>
declare module '@nestjs/common' {
  export function Controller(path: string): ClassDecorator
  export function All(): MethodDecorator
  export function Req(): ParameterDecorator
  export function Res(): ParameterDecorator
  export type RawBodyRequest<T> = T & { rawBody?: Buffer }
}
declare module '@nestjs/core' {
  export const NestFactory: {
    create(module: new () => object, options: { rawBody: boolean }): Promise<{ listen(port: number): Promise<void> }>
  }
}
`

/** Declares every function that the receiver exports, so that examples do not have to import them. */
function receiverExports(): string {
  const folder = join(root, 'packages/receiver')
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const entries = Object.entries<string | { '@posthorn/source': string }>(exports)
  const declarations = entries.flatMap(([entry, target]) => {
    if (typeof target === 'string' || !target['@posthorn/source'].endsWith('.ts')) return []
    const source = readFileSync(join(folder, target['@posthorn/source']), 'utf8')
    const listed = [...source.matchAll(/^export \{([^}]*)\}/gm)].flatMap(match => (match[1] ?? '').split(','))
    const written = [...source.matchAll(/^export (?:async )?function (\w+)/gm)].map(match => match[1] ?? '')
    const names = [...listed, ...written].map(name => name.trim()).filter(name => /^[a-z]\w*$/.test(name))
    return names.map(
      name => `declare const ${name}: typeof import('${join('@posthorn/receiver', entry)}').${name}`,
    )
  })
  return declarations.join('\n')
}

/** Names each block after its position. */
function named(blocks: ReadonlyArray<{ path: string; line: number; code: string }> = []): NamedModule[] {
  return blocks.map(({ path, line, code }) => ({ name: `${path}:${line}`, code }))
}

interface NamedModule {
  readonly name: string
  readonly code: string
}

/**
 * Compiles modules inside the workspace with extra declarations. Returns the compiler's errors, or an empty text.
 */
function compile(modules: readonly NamedModule[], atHand = ''): string {
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'posthorn-docs-'))
  try {
    const files = modules.map(({ name, code }) => {
      const file = `${name.replaceAll(/[/:]/g, '-')}.ts`
      writeFileSync(join(folder, file), `${code}\nexport {}\n`)
      return file
    })
    writeFileSync(join(folder, 'at-hand.d.ts'), atHand)
    // Nest uses the decorators from before the standard.
    const compilerOptions = { noUnusedLocals: false, experimentalDecorators: true }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions,
        files: [...files, 'at-hand.d.ts'],
        include: [],
      }),
    )
    const said = run(join(root, 'node_modules/.bin/tsc'), ['--project', folder, '--pretty', 'false'])
    // npm run check reports errors in other files
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
