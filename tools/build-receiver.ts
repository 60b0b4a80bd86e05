import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Builds `packages/receiver/dist`, so that a clone can import the receiver like an installed package. Scripts and tests
 * of the workspace read the sources instead.
 * @returns false if TypeScript, a development dependency, is not installed
 */
function buildReceiver(): boolean {
  try {
    createRequire(import.meta.url).resolve('typescript/package.json')
  } catch {
    return false
  }
  const build = fileURLToPath(new URL('../packages/receiver/build.ts', import.meta.url))
  execFileSync(process.execPath, [build], { stdio: 'inherit' })
  return true
}

if (!buildReceiver()) {
  process.stderr.write(
    'receiver not built, because TypeScript is not installed; the service does not need it\n',
  )
}
