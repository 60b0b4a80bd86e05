import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../packages/receiver/test/until.ts'

const root = join(import.meta.dirname, '..')
const env = {
  ...process.env,
  PORT: '0',
  POSTHORN_SECRET: 'whsec_example_0123456789abcdef0123456789abcdef0123',
}
const node = (...args: string[]) => execFileSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' })

test('the index has a command for every example', () => {
  const index = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')
  const started = [...index.matchAll(/node tools\/node\.js examples\/start\.ts (\w+)/g)].map(
    match => match[1],
  )
  expect(started).toEqual(['node', 'express', 'fastify', 'hono', 'next', 'lambda', 'workers'])
})

// Next.js has its own test, because installing it again would be slow.
describe.each(['node', 'express', 'fastify', 'hono', 'lambda', 'workers'])('the command for %s', name => {
  let example: ChildProcessWithoutNullStreams
  let printed = ''
  beforeAll(async () => {
    example = spawn(process.execPath, ['tools/node.js', 'examples/start.ts', name], { cwd: root, env })
    example.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
    await until(example.stdout, 'examples/send.ts')
  })
  afterAll(async () => {
    const exit = once(example, 'exit')
    example.kill()
    await exit
  })

  test('starts the example, which then processes an event sent to it', async () => {
    const url = /listens on (\S+)\. /.exec(printed)?.[1] ?? ''
    expect(node('tools/node.js', 'examples/send.ts', url, 'evt_test_1')).toBe(
      '200 ok\nx-service-verified: v1\n',
    )
    await expect.poll(() => printed).toContain('processed evt_test_1')
  })
})

test('an unknown example name prints the names of the existing examples', () => {
  expect(() => node('tools/node.js', 'examples/start.ts', 'nowhere')).toThrow(/Name an example: express/)
})
