import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const clones: string[] = []
afterEach(() => clones.splice(0).forEach(clone => rmSync(clone, { recursive: true, force: true })))

/** The part of a clone that the build of the receiver needs. */
function clone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-clone-'))
  clones.push(folder)
  for (const path of [
    'package.json',
    'tsconfig.json',
    'tools/build-receiver.ts',
    'packages/receiver/package.json',
    'packages/receiver/build.ts',
    'packages/receiver/tsconfig.build.json',
    'packages/receiver/src',
  ]) {
    cpSync(join(root, path), join(folder, path), { recursive: true })
  }
  return folder
}

function node(cwd: string, ...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

test('npm ci builds a receiver that can be imported without any condition', () => {
  expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts.prepare).toContain(
    'node tools/node.js tools/build-receiver.ts',
  )
  const folder = clone()
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  expect(node(folder, 'tools/build-receiver.ts')).toEqual({ status: 0, output: '' })
  const script = "import('@posthorn/receiver').then(one => console.log(typeof one.verifyWebhook))"
  expect(node(join(folder, 'packages/receiver'), '-e', script)).toEqual({ status: 0, output: 'function\n' })
})

test('without development dependencies the installation succeeds and reports what is missing', () => {
  const folder = clone()
  expect(node(folder, 'tools/build-receiver.ts')).toEqual({
    status: 0,
    output: expect.stringMatching(/^receiver not built, because TypeScript is not installed/),
  })
  expect(existsSync(join(folder, 'packages/receiver/dist'))).toBe(false)
})
