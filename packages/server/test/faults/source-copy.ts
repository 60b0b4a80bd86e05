import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const folder = fileURLToPath(new URL('mutations', import.meta.url))

/** A protection that is removed from the code, and the test that must notice it. */
export interface Mutant {
  name: string
  patch: string
  /** A description. */
  takenOut: string
  /** The test file, and the name of a test in it. */
  file: string
  caughtBy: string
}

/** Reads `mutations/*.patch`. The head of each file says what it removes and which test must notice. */
export function readMutations(): Mutant[] {
  return globSync('*.patch', { cwd: folder })
    .sort()
    .map(name => {
      const patch = join(folder, name)
      const text = readFileSync(patch, 'utf8')
      const [takenOut, file, caughtBy] = ['Taken out', 'Caught in', 'Caught by'].map(label => {
        const value = new RegExp(`^${label}: (.+)$`, 'm').exec(text)?.[1]
        if (value === undefined) throw new Error(`${name} has no line "${label}: …" in its head`)
        return value
      }) as [string, string, string]
      return { name: basename(name, '.patch'), patch, takenOut, file, caughtBy }
    })
}

/** A copy of the workspace that mutants can change. */
export interface SourceCopy extends Disposable {
  /** Applies a mutant. If a patch does not fit the code any more, remake it. */
  apply(mutant: Mutant): void
  restore(): void
  /** Runs these tests of one file. The names have no fault number. */
  run(file: string, tests: readonly string[]): Promise<TestsRun>
}

export interface TestsRun {
  passed: string[]
  failed: string[]
  /** The output, to find the reason. */
  output: string
}

/** Copies the tracked files from the working tree and links the installed packages. */
export function openSourceCopy(): SourceCopy {
  const copy = mkdtempSync(join(tmpdir(), 'posthorn-mutants-'))
  const git = (cwd: string, ...words: string[]): string =>
    execFileSync('git', words, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  for (const path of git(root, 'ls-files', '-z')
    .split('\0')
    .filter(one => one !== '')) {
    cpSync(join(root, path), join(copy, path), { recursive: true })
  }
  linkPackages(copy)
  git(copy, 'init', '--quiet')
  git(copy, 'add', '--all')
  git(
    copy,
    '-c',
    'user.name=test',
    '-c',
    'user.email=test@localhost',
    'commit',
    '--quiet',
    '--message',
    'As it is',
  )
  return {
    apply: ({ name, patch }) => {
      try {
        git(copy, 'apply', patch)
      } catch (cause) {
        throw new Error(`${name}.patch does not fit the code any more: make it anew`, { cause })
      }
    },
    restore: () => {
      git(copy, 'checkout', '--quiet', '.')
    },
    run: async (file, tests) => await runTests(copy, file, tests),
    [Symbol.dispose]: () => rmSync(copy, { recursive: true }),
  }
}

/** Installed packages come from the original workspace, and the workspace's own packages from the copy. */
function linkPackages(copy: string): void {
  const modules = join(copy, 'node_modules')
  const own = '@posthorn'
  mkdirSync(join(modules, own), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== own) symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  for (const name of readdirSync(join(root, 'node_modules', own))) {
    symlinkSync(join('..', '..', 'packages', name), join(modules, own, name))
  }
  for (const path of ['packages/dashboard/dist', 'tools/test-programs/node_modules'])
    symlinkSync(join(root, path), join(copy, path))
}

async function runTests(copy: string, file: string, names: readonly string[]): Promise<TestsRun> {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const pattern = names.map(name => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|')
  const config = file.endsWith('.long.ts') ? ['--config', 'vitest.long.config.ts'] : []
  const child = spawn(
    process.execPath,
    [
      join('tools', 'node.js'),
      join('node_modules', 'vitest', 'vitest.mjs'),
      'run',
      ...config,
      file,
      '--testNamePattern',
      pattern,
      '--reporter=json',
      `--outputFile=${report}`,
    ],
    { cwd: copy, env: { PATH: process.env['PATH'], HOME: process.env['HOME'] } },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  await once(child, 'close')
  const results = readReport(report, output)
  const named = (status: string): string[] =>
    names.filter(name => results.some(one => one.status === status && one.title.endsWith(name)))
  return { passed: named('passed'), failed: named('failed'), output }
}

function readReport(path: string, output: string): Array<{ title: string; status: string }> {
  try {
    const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as {
      testResults: Array<{ assertionResults: Array<{ title: string; status: string }> }>
    }
    return testResults.flatMap(({ assertionResults }) => assertionResults)
  } catch (cause) {
    throw new Error(`the tests did not run: ${output}`, { cause })
  }
}
