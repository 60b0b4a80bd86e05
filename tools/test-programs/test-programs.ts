import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const here = import.meta.dirname
const installed = join(here, 'node_modules')
const lock = 'package-lock.json'

/** Installs what only tests and benches need, unless it is there. The installation of a clone leaves it out to stay small. */
export function installTestPrograms(): void {
  if (isInstalled()) return
  process.stderr.write('Installing the programs that only tests need. This happens once.\n')
  // beside and renamed, because another run may do the same
  const beside = mkdtempSync(join(here, '.install-'))
  try {
    for (const name of ['.npmrc', 'package.json', lock]) copyFileSync(join(here, name), join(beside, name))
    execFileSync('npm', ['ci'], { cwd: beside, stdio: ['ignore', 'ignore', 'inherit'] })
    copyFileSync(join(here, lock), join(beside, 'node_modules', lock))
    if (isInstalled()) return
    rmSync(installed, { recursive: true, force: true })
    renameSync(join(beside, 'node_modules'), installed)
  } catch (error) {
    // the other tests can run
    process.stderr.write(`Tests that need these programs will fail: ${String(error)}\n`)
  } finally {
    rmSync(beside, { recursive: true })
  }
}

/** The path of a file or folder of an installed program. */
export function testProgram(path: string): string {
  return join(installed, path)
}

/** Loads a package whose types the workspace does not have: `T` says as much of them as the caller uses. */
export function requireTestProgram<T>(name: string): T {
  return createRequire(join(here, 'package.json'))(name) as T
}

function isInstalled(): boolean {
  const copy = join(installed, lock)
  return existsSync(copy) && readFileSync(copy, 'utf8') === readFileSync(join(here, lock), 'utf8')
}
