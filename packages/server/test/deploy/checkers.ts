import { spawnSync } from 'node:child_process'
/** Runs a checker; all that it says, on either stream, and whether it was content. */
export function check(program: string, args: string[]): { passed: boolean; said: string } {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (error !== undefined) throw error
  return { passed: status === 0, said: stdout + stderr }
}
