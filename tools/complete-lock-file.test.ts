import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { completeLockFile, type LockFile } from './complete-lock-file.ts'

const committed = (): LockFile =>
  JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as LockFile

test('the lock names every platform’s build, so that npm ci takes it: npm run lock adds what is missing', () => {
  expect(completeLockFile(committed())).toEqual([])
})

test('a build that is missing is noticed and added for its platform', () => {
  const lock = committed()
  const [path] = Object.keys(lock.packages).filter(one => one.endsWith('linux-arm64-musl'))
  const entry = lock.packages[path ?? '']
  delete lock.packages[path ?? '']
  expect(completeLockFile(lock)).toEqual([`${path?.replace('node_modules/', '')}@${entry?.version}`])
  expect(lock.packages[path ?? '']).toMatchObject({
    os: ['linux'],
    cpu: ['arm64'],
    libc: ['musl'],
    optional: true,
  })
})

test('the lock names no download address', () => {
  expect(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')).not.toMatch(
    /"resolved": "http/,
  )
})
