import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sampleEvent, signedRequest } from '@posthorn/receiver/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { canRun, hasProgram } from '../../server/test/support/can-run.ts'
import { until } from '../../server/test/support/until.ts'
import { receiverSnippet } from '../src/words/receiver-snippets.ts'
import type { Receiver } from '../src/words/receivers.ts'

const [oldSecret, newSecret, strangers] = ['a', 'b', 'c'].map(letter => `whsec_${letter.repeat(43)}`) as [
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
  for (const child of running) child.kill('SIGKILL')
  rmSync(dir, { recursive: true })
})

test.each(['Express', 'Next.js', 'Fastify', 'Hono'] as const)(
  'the code for %s accepts requests signed with either secret and rejects others',
  async receiver => {
    const url = await start(receiver)
    const post = async (secret: string): Promise<number> =>
      (await fetch(await signedRequest(sampleEvent('email.bounced'), { secret, url }))).status
    await until('it listens', async () => await post(oldSecret).catch(() => null))

    expect(await post(newSecret)).toBe(200)
    expect(await post(oldSecret)).toBe(200)
    expect(await post(strangers)).toBe(401)
  },
)

const runsPython = canRun('the code for Python', hasProgram('python3'), 'python3')

test.runIf(runsPython)('the code for Python agrees with every signature vector', () => {
  writeFileSync(join(dir, 'snippet.py'), receiverSnippet('Python', options))
  copyFileSync(new URL('check_python_snippet.py', import.meta.url), join(dir, 'check.py'))
  const vectors = new URL('../../../fixtures/signature-vectors.json', import.meta.url).pathname
  const { status, stdout, stderr } = spawnSync('python3', ['check.py', vectors], {
    cwd: dir,
    env,
    encoding: 'utf8',
  })
  expect(status, stdout + stderr).toBe(0)
})

const runsPhp = canRun('the code for PHP', hasProgram('php'), 'php-cli')

test.runIf(runsPhp)(
  'the code for PHP accepts requests signed with either secret and rejects others',
  async () => {
    const library = new URL('../../../receivers/php/tests/bootstrap.php', import.meta.url).pathname
    mkdirSync(join(dir, 'vendor'))
    writeFileSync(join(dir, 'vendor/autoload.php'), `<?php require '${library}';`)
    writeFileSync(join(dir, 'snippet.php'), receiverSnippet('PHP', options))
    const address = `127.0.0.1:${await freePort()}`
    running.push(spawn('php', ['-S', address, 'snippet.php'], { cwd: dir, env, stdio: 'ignore' }))
    const post = async (secret: string): Promise<number> =>
      (
        await fetch(
          await signedRequest(sampleEvent('email.bounced'), { secret, url: `http://${address}/in/mail` }),
        )
      ).status
    await until('it listens', async () => await post(oldSecret).catch(() => null))

    expect(await post(newSecret)).toBe(200)
    expect(await post(oldSecret)).toBe(200)
    expect(await post(strangers)).toBe(401)
  },
)

test('a path that would break out of the code is left out of it', () => {
  const code = receiverSnippet('Express', { path: "/in'+process.exit()+'" })
  expect(code).toContain("app.all('/hooks'")
  expect(code).not.toContain('process.exit')
})

async function start(receiver: Receiver): Promise<string> {
  const port = await freePort()
  const code = receiverSnippet(receiver, options).replaceAll('3000', String(port))
  const file = join(dir, `${receiver}.mjs`)
  writeFileSync(file, `${code.replace('export default app', '')}\n${platformOf(receiver, port)}`)
  running.push(spawn(process.execPath, ['--conditions=@posthorn/source', file], { env, stdio: 'ignore' }))
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
