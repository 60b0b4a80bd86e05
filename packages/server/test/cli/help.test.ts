import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { runCommandLine } from '../../src/cli/run-command-line.ts'
import { type Ended, nodesOfThisMachine, posthorn } from './posthorn-process.ts'

describe.each(nodesOfThisMachine())('on Node $version', ({ path: node }) => {
  test('--version prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string
    }

    expect(await posthorn(['--version'], { node })).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  test('wrong arguments exit with 2 and print nothing to standard output', async () => {
    const ended = await posthorn(['nonsense'], { node })

    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toBe('posthorn: unknown command "nonsense"; see npx posthorn --help\n')
  })
})

test('an option without its value is reported in one line', async () => {
  const ended = await posthorn(['keys', 'create', '--account', '--name', 'k'])
  expect(ended).toEqual({
    code: 2,
    stdout: '',
    stderr: "posthorn: option '--account' argument is ambiguous; see npx posthorn keys create --help\n",
  })
})

test('--help lists every command with its summary', async () => {
  const { code, stdout } = await posthorn(['--help'])

  expect(code).toBe(0)
  const width = Math.max(...commands.map(({ name }) => name.length))
  for (const { name, summary } of commands) expect(stdout).toContain(`${name.padEnd(width)}  ${summary}`)
})

test('help for the first word of several commands lists those commands', async () => {
  const { code, stdout } = await posthorn(['keys', '--help'])

  expect(code).toBe(0)
  expect(stdout).toContain('keys revoke')
  expect(stdout).not.toContain('endpoints create  ')
})

test.each(commands.map(({ name }) => name))('posthorn %s --help teaches with examples', async name => {
  const { code, stdout } = await runHere([...name.split(' '), '--help'])

  expect(code).toBe(0)
  expect(stdout).toContain('Examples\n')
  expect(stdout.split('Examples\n')[1]).toContain(`posthorn ${name}`)
  expect(stdout).toContain('--json')
})

test.each([
  { args: [], says: 'a command is missing' },
  { args: ['keys'], says: 'npx posthorn keys create, npx posthorn keys list, npx posthorn keys revoke' },
  { args: ['accounts', 'create'], says: '--name is missing; see npx posthorn accounts create --help' },
  { args: ['accounts', 'create', '--nam', 'x'], says: "unknown option '--nam'; see npx posthorn accounts" },
  { args: ['accounts', 'create', '--name', 'x', '--max-endpoints', 'many'], says: '--max-endpoints must be' },
  {
    args: ['keys', 'create', '--account', 'a', '--name', 'n', '--scopes', 'all'],
    says: 'read, send, ingest',
  },
  { args: ['keys', 'revoke', '--account', 'a'], says: '<key> is missing' },
  { args: ['endpoints', 'list', 'more'], says: 'unexpected argument "more"' },
  { args: ['endpoints', 'create', 'https://a.example', '--events', 'email.opened'], says: 'email.delivered' },
  { args: ['endpoints', 'list', '--api-key', 'k', '--url', 'nowhere'], says: '--url must be' },
  { args: ['verify', '--header', 't=1'], says: 'add --secret or --secret-file' },
])('$args is rejected in one line that says what is wrong', async ({ args, says }) => {
  const { code, stdout, stderr } = await runHere(args)

  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(says)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

/** Runs the command in this process, because starting dozens of processes would take too long. */
async function runHere(args: readonly string[]): Promise<Ended> {
  const ended = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map(stream =>
    vi.spyOn(process[stream], 'write').mockImplementation(text => {
      ended[stream] += String(text)
      return true
    }),
  )
  try {
    return { code: await runCommandLine(args), ...ended }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}
