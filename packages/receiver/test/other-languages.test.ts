import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const docs = new URL('../../../docs/receiver/', import.meta.url)
const cwd = new URL('snippets/', docs).pathname
const vectors = new URL('../../../fixtures/signature-vectors.json', import.meta.url).pathname
const page = readFileSync(new URL('other-languages.md', docs), 'utf8')

const languages = [
  {
    name: 'Python',
    program: 'python3',
    probe: ['--version'],
    args: ['check_vectors.py', vectors],
    snippet: 'verify.py',
  },
  {
    name: 'Go',
    program: 'go',
    probe: ['version'],
    args: ['run', 'verify.go', 'check_vectors.go', vectors],
    snippet: 'verify.go',
  },
]

for (const { name, program, probe, args, snippet } of languages) {
  test(`the page shows the ${name} snippet that is tested here`, () => {
    expect(page).toContain(readFileSync(new URL(`snippets/${snippet}`, docs), 'utf8').trim())
  })

  const here = spawnSync(program, probe).status === 0
  if (!here && process.env['CI'] === undefined) console.log(`not run: ${name}; install ${program}`)
  else {
    test(`the ${name} snippet passes every vector`, { timeout: 120_000 }, () => {
      const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' }
      const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
      expect(status, stdout + stderr).toBe(0)
      console.log(`${name}: ${stdout.trim()}`)
    })
  }
}
