import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { getHeapSpaceStatistics } from 'node:v8'
import { openPlace } from '../support/open-place.ts'

/**
 * Runs `statements` statements with `bytes` bytes of values each, one after the other. Returns how many bytes only a
 * full garbage collection can free. It uses its own process with a small young generation, which promotes long-lived
 * objects early.
 */
export async function oldGarbageOf(databaseUrl: string, statements: number, bytes: number): Promise<number> {
  const flags = [
    '--conditions=@posthorn/source',
    '--max-semi-space-size=1',
    '--no-allocation-site-pretenuring',
  ]
  const child = spawn(
    process.execPath,
    [...flags, fileURLToPath(import.meta.url), databaseUrl, `${statements}`, `${bytes}`],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return JSON.parse(output)
}

function oldBytes(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name }) => space_name === 'old_space')
    .reduce((sum, space) => sum + space.space_used_size, 0)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [databaseUrl = '', statements, bytes] = process.argv.slice(2)
  await using db = await openPlace({ databaseUrl, dataDir: '' })
  // a statement that takes a moment is still running when young memory is collected
  const statement = { name: 'old_garbage', text: 'select length($1), pg_sleep(0.001)' }
  let grown = 0
  let before = oldBytes()
  for (let n = 0; n < Number(statements); n++) {
    await db.query(statement, [`${n}`.padEnd(Number(bytes), '-')])
    const after = oldBytes()
    grown += Math.max(0, after - before)
    before = after
  }
  process.stdout.write(JSON.stringify(grown))
}
