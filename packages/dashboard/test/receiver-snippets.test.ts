import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sampleEvent, signedRequest } from '@posthorn/receiver/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { canRun } from '../../server/test/support/can-run.ts'
import { until } from '../../server/test/support/until.ts'
import { receiverSnippet } from '../src/words/receiver-snippets.ts'
import type { Receiver } from '../src/words/receivers.ts'

const [oldSecret, newSecret, strangers] = ['a', 'b', 'c'].map(letter => `whsec_${letter.repeat(44)}`) as [
  string,
  string,
  string,
]
const env = {
  ...process.env,
  WEBHOOK_SECRET: oldSecret,
  WEBHOOK_SECRET_NEW: newSecret,
  PYTHONDONTWRITEBYTECODE: '1',
}
const options = { secretNames: ['WEBHOOK_SECRET_NEW', 'WEBHOOK_SECRET'], path: '/in/mail' }

let dir: string
const running: ChildProcess[] = []
beforeAll(() => {
  // the snippets resolve their imports here
  dir = mkdtempSync(new URL('../../../node_modules/.snippets-', import.meta.url).pathname)
})
afterAll(() => {
  // the group, because `go run` starts another process
  for (const { pid, exitCode } of running) {
    if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGKILL')
  }
  rmSync(dir, { recursive: true })
})

const prefixes = ['X-Service', 'X-Acme']

test.each(
  (['Express', 'Next.js', 'Fastify', 'Hono'] as const).flatMap(receiver =>
    prefixes.map(headerPrefix => ({ receiver, headerPrefix })),
  ),
)(
  'the code for $receiver accepts $headerPrefix requests signed with either secret and rejects others',
  async ({ receiver, headerPrefix }) => {
    const url = await start(receiver, headerPrefix)
    const post = async (secret: string): Promise<number> => await answerTo({ secret, url, headerPrefix })
    await until('it listens', async () => await post(oldSecret).catch(() => null))

    expect(await post(newSecret)).toBe(200)
    expect(await post(oldSecret)).toBe(200)
    expect(await post(strangers)).toBe(401)
  },
)

/** How a language runs its snippet from the folder of this test. The libraries are those in `receivers/`. */
interface Platform {
  readonly receiver: Receiver
  readonly file: string
  readonly command: (port: number) => readonly [string, ...string[]]
  readonly env?: Readonly<Record<string, string>>
  /** Exits with 0 if it can run. */
  readonly probe: readonly [string, ...string[]]
  readonly install: string
  prepare?(): void
}

const library = (path: string): string =>
  fileURLToPath(new URL(`../../../receivers/${path}`, import.meta.url))
const python = library('python/.venv/bin/python')

const platforms: readonly Platform[] = [
  {
    receiver: 'PHP',
    file: 'snippet.php',
    command: port => ['php', '-S', `127.0.0.1:${port}`, 'snippet.php'],
    probe: ['php', '--version'],
    install: 'php-cli',
    prepare: () => {
      mkdirSync(join(dir, 'vendor'), { recursive: true })
      writeFileSync(
        join(dir, 'vendor/autoload.php'),
        `<?php require '${library('php/tests/bootstrap.php')}';`,
      )
    },
  },
  {
    receiver: 'Python',
    file: 'snippet.py',
    command: port => [python, '-m', 'flask', '--app', 'snippet', 'run', '--port', `${port}`],
    env: { PYTHONPATH: library('python/src') },
    probe: [python, '-c', 'import flask'],
    install: 'python3-venv, then run receivers/python/tests/install.sh',
  },
  {
    receiver: 'Go',
    file: 'main.go',
    command: () => ['go', 'run', '.'],
    env: { GOFLAGS: '-mod=mod', GOPROXY: 'off', GOWORK: 'off' },
    probe: ['go', 'version'],
    install: 'golang-go',
    prepare: () => {
      const module = 'github.com/posthorn/posthorn/receivers/go'
      const lines = [
        'module snippet',
        'go 1.22',
        `require ${module} v0.0.0`,
        `replace ${module} => ${library('go')}`,
      ]
      writeFileSync(join(dir, 'go.mod'), lines.join('\n'))
    },
  },
  {
    receiver: 'Ruby',
    file: 'config.ru',
    command: port => ['puma', '--quiet', '--bind', `tcp://127.0.0.1:${port}`, 'config.ru'],
    env: { RUBYLIB: library('ruby/lib') },
    probe: ['puma', '--version'],
    install: 'puma',
  },
]

test.each(
  platforms
    .filter(({ receiver, probe: [program, ...args], install }) =>
      canRun(`the code for ${receiver}`, spawnSync(program, args).status === 0, install),
    )
    .flatMap(platform => prefixes.map(headerPrefix => ({ ...platform, headerPrefix }))),
)(
  'the code for $receiver accepts $headerPrefix requests signed with either secret and rejects others',
  async platform => {
    const { headerPrefix } = platform
    platform.prepare?.()
    const port = await freePort()
    const code = receiverSnippet(platform.receiver, {
      ...options,
      signatureHeader: `${headerPrefix}-Signature`,
    })
    writeFileSync(join(dir, platform.file), code.replace(':3000', `127.0.0.1:${port}`))
    const [program, ...args] = platform.command(port)
    running.push(
      spawn(program, args, { cwd: dir, env: { ...env, ...platform.env }, stdio: 'ignore', detached: true }),
    )
    const url = `http://127.0.0.1:${port}/in/mail`
    const post = async (secret: string): Promise<number> => await answerTo({ secret, url, headerPrefix })
    await until('it listens', async () => await post(oldSecret).catch(() => null))

    expect(await post(newSecret)).toBe(200)
    expect(await post(oldSecret)).toBe(200)
    expect(await post(strangers)).toBe(401)
  },
)

const hasJava = spawnSync(library('java/tests/can-run.sh')).status === 0
const runsJava = canRun(
  'the code for Java',
  hasJava,
  'openjdk-17-jdk-headless maven, and run receivers/java/tests/install.sh',
)

test.runIf(runsJava)('the code for Java compiles', () => {
  writeFileSync(join(dir, 'Hooks.java'), receiverSnippet('Java', options))
  const command = `javac --release 17 -proc:none -d '${dir}/classes' -cp "$(<target/test-classpath)" $(find src/main -name '*.java') '${dir}/Hooks.java'`
  const { status, stderr } = spawnSync('bash', ['-c', command], { cwd: library('java'), encoding: 'utf8' })
  expect(status, stderr).toBe(0)
})

test('a path that would break out of the code is left out of it', () => {
  const code = receiverSnippet('Express', { path: "/in'+process.exit()+'" })
  expect(code).toContain("app.all('/hooks'")
  expect(code).not.toContain('process.exit')
})

/** The status with which a receiver answers, if it also says that it verified a good request. */
async function answerTo(options: { secret: string; url: string; headerPrefix: string }): Promise<number> {
  const answer = await fetch(await signedRequest(sampleEvent('email.bounced'), options))
  return answer.ok && !answer.headers.has(`${options.headerPrefix}-Verified`) ? 0 : answer.status
}

async function start(receiver: Receiver, headerPrefix: string): Promise<string> {
  const port = await freePort()
  const signatureHeader = `${headerPrefix}-Signature`
  const code = receiverSnippet(receiver, { ...options, signatureHeader }).replaceAll('3000', String(port))
  const file = join(dir, `${receiver}.mjs`)
  writeFileSync(file, `${code.replace('export default app', '')}\n${platformOf(receiver, port)}`)
  running.push(
    spawn(process.execPath, ['--conditions=@posthorn/source', file], {
      env,
      stdio: 'ignore',
      detached: true,
    }),
  )
  return `http://127.0.0.1:${port}/in/mail`
}

/** A platform serves Next.js and Hono, so the test adds a server. */
function platformOf(receiver: Receiver, port: number): string {
  if (receiver !== 'Next.js' && receiver !== 'Hono') return ''
  return `import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
createServer(getRequestListener(${receiver === 'Hono' ? 'app.fetch' : 'POST'})).listen(${port}, '127.0.0.1')`
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}
