import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const planted = join(root, 'tools/planted')

test('the linter finds every planted violation and nothing else', () => {
  const files = sourceFiles(planted)
  const expected = files.flatMap(expectedFindings).sort()
  expect(expected.length).toBeGreaterThan(40)
  expect(lint(planted).sort()).toEqual(expected)
})

test.each(['packages/server/src/webhooks/clean.ts', 'packages/server/src/config.ts'])(
  'the planted tree has a control without findings: %s',
  path => {
    expect(expectedFindings(join(planted, path))).toEqual([])
    expect(lint(planted).filter(finding => finding.startsWith(path))).toEqual([])
  },
)

/** Reads the comments of a planted file: `// expect rule` for its own line, `// expect-next rule` for the next. */
function expectedFindings(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      const [, next, rule] = /\/\/ expect(-next)? ([\w-]+)/.exec(line) ?? []
      const number = index + (next === undefined ? 1 : 2)
      return rule === undefined ? [] : [`${relative(planted, file)}:${number} ${rule}`]
    })
}

/** The findings of the real configuration on a copy of `tree` at the real paths. */
function lint(tree: string): string[] {
  const copy = mkdtempSync(join(tmpdir(), 'posthorn-lint-'))
  try {
    cpSync(tree, copy, { recursive: true })
    for (const name of ['.oxlintrc.json', 'tsconfig.json', 'package.json'])
      cpSync(join(root, name), join(copy, name))
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    const { stdout, stderr } = spawnSync(
      join(root, 'node_modules/.bin/oxlint'),
      ['--type-aware', '--deny-warnings', '--format', 'json', 'packages'],
      { cwd: copy, encoding: 'utf8', timeout: 20_000 },
    )
    if (!stdout.startsWith('{')) throw new Error(`oxlint did not run: ${stdout}${stderr}`)
    return (JSON.parse(stdout) as LintReport).diagnostics.map(findingOf)
  } finally {
    rmSync(copy, { recursive: true })
  }
}

interface LintReport {
  diagnostics: Array<{ code: string; filename: string; labels: Array<{ span: { line: number } }> }>
}

function findingOf({ code, filename, labels }: LintReport['diagnostics'][number]): string {
  const rule = /\(([\w-]+)\)/.exec(code)?.[1] ?? code
  return `${filename}:${labels[0]?.span.line} ${rule}`
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
}
