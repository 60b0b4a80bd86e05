import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { canRun } from '../../server/test/support/can-run.ts'
import { BODY, NOW, SECRET, signed } from './signed.ts'

const docs = new URL('../../../docs/', import.meta.url)
const snippets = new URL('receiver/snippets/', docs)
const cwd = snippets.pathname
const vectors = new URL('../../../fixtures/signature-vectors.json', import.meta.url).pathname
const page = readFileSync(new URL('verify-without-library.md', docs), 'utf8')

const languages = [
  {
    name: 'Python',
    program: 'python3',
    install: 'python3',
    probe: ['--version'],
    args: ['check_vectors.py', vectors],
    tolerance: ['check_tolerance.py'],
    snippet: 'verify.py',
  },
  {
    name: 'Go',
    program: 'go',
    install: 'golang-go',
    probe: ['version'],
    args: ['run', 'verify.go', 'check_vectors.go', vectors],
    tolerance: ['run', 'verify.go', 'check_tolerance.go'],
    snippet: 'verify.go',
  },
]

/** The tolerance in seconds, the age of the signature in seconds, and whether the request is good. */
const tolerances = [
  [0, 86_400, true],
  [0.001, 0, true],
  [0.001, 1, false],
  [0.999, 1, false],
  [0.999, -1, false],
  [1, 1, true],
  [1.5, 1, true],
  [1.5, 2, false],
  [300, 300, true],
  [300, 301, false],
  [-0.001, 0, false],
  [-1, 0, false],
  [-300, 301, false],
] as const

for (const { name, program, install, probe, args, tolerance, snippet } of languages) {
  test(`the page shows the ${name} snippet that is tested here`, () => {
    expect(page).toContain(readFileSync(new URL(snippet, snippets), 'utf8').trim())
  })

  const isHere = spawnSync(program, probe).status === 0
  if (canRun(`the ${name} snippet`, isHere, install)) {
    test(`the ${name} snippet passes every vector`, { timeout: 120_000 }, () => {
      const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' }
      const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
      expect(status, stdout + stderr).toBe(0)
      console.log(`${name}: ${stdout.trim()}`)
    })

    test(`the ${name} snippet skips the time check only for a tolerance of 0`, {
      timeout: 120_000,
    }, () => {
      const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' }
      const input = tolerances.map(([seconds, age]) => `${seconds} ${NOW + age}`).join('\n')
      const more = [...tolerance, BODY, signed(), SECRET]
      const { stdout, stderr } = spawnSync(program, more, { cwd, env, input, encoding: 'utf8' })
      const wanted = tolerances.map(([, , good]) => (good ? 'ok' : 'reject'))
      expect(stdout.trim().split('\n'), stderr).toEqual(wanted)
    })
  }
}
