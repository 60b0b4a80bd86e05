import { spawnSync } from 'node:child_process'
/** Runs a checker, and returns whether it passed and its output from both streams. */
export function check(program: string, args: string[], input = ''): { passed: boolean; said: string } {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', input })
  if (error !== undefined) throw error
  return { passed: status === 0, said: stdout + stderr }
}
