import { spawnSync } from 'node:child_process'
/** Runs a checker, and returns whether it passed and its output from both streams. */
export function check(program: string, args: string[]): { passed: boolean; said: string } {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (error !== undefined) throw error
  return { passed: status === 0, said: stdout + stderr }
}
