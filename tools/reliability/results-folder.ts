import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FaultResult } from './fault-result.ts'

const folder = fileURLToPath(new URL('../../packages/server/test/faults/results', import.meta.url))

/** The last result of each fault. */
export function readResults(): FaultResult[] {
  return globSync('*.json', { cwd: folder }).map(
    name => JSON.parse(readFileSync(join(folder, name), 'utf8')) as FaultResult,
  )
}

/** Replaces the results of the faults that were tested and keeps the others. */
export function keepResults(fresh: readonly FaultResult[]): void {
  for (const result of fresh) {
    writeFileSync(join(folder, `${result.id}.json`), `${JSON.stringify(result, null, 2)}\n`)
  }
}
