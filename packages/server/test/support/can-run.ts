import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Whether a test can run that needs what no npm package brings. Without it, the last lines of the run say what was not run.
 * With `CI` set the answer is always yes, so that the test fails.
 * @param install what to install, by its Debian name
 */
export function canRun(what: string, isHere: boolean, install: string): boolean {
  if (isHere || process.env['CI'] !== undefined) return true
  console.log(`not run: ${what}; install ${install}`)
  return false
}

/** Whether a program is on the path. */
export function hasProgram(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some(folder => existsSync(join(folder, name)))
}
