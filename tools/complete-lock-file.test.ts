import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { completeLockFile, type LockFile, lockFiles } from './complete-lock-file.ts'

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const committed = (name: string): LockFile => JSON.parse(read(name)) as LockFile

test('the lock file contains every platform’s build, as npm ci requires: npm run lock adds what is missing', () => {
  for (const name of lockFiles) expect(completeLockFile(committed(name)), name).toEqual([])
})

test('a missing build is reported and added for its platform', () => {
  const lock = committed('package-lock.json')
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

test('the lock file contains no download address', () => {
  for (const name of lockFiles) expect(read(name), name).not.toMatch(/"resolved": "http/)
})
