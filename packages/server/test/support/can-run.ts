import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Whether a test can run that needs a program outside npm. If it cannot, the last lines of the run say so. With `CI` set the
 * result is always true, so that the test fails without the program.
 * @param install the name of the Debian package
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
