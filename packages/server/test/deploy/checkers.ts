import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A program that no npm package brings; without it a test is left out, except in CI, where it has to be there. */
export function findChecker(program: string, debianPackage: string): { missing: boolean } {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const isHere = folders.some(folder => existsSync(join(folder, program)))
  if (isHere || process.env['CI'] !== undefined) return { missing: false }
  console.log(`not run: what needs ${program}; install ${debianPackage}`)
  return { missing: true }
}

/** Runs a checker; all that it says, on either stream, and whether it was content. */
export function check(program: string, args: string[]): { passed: boolean; said: string } {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (error !== undefined) throw error
  return { passed: status === 0, said: stdout + stderr }
}
