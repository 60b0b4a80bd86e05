import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import * as z from 'zod'
import { CommandError } from '../command-error.ts'

const quickstart = z.object({
  account_id: z.string(),
  api_key: z.string(),
  webhook_id: z.string(),
  /** With it the receiver verifies. */
  secret: z.string(),
  /** On which the receiver listens. */
  port: z.int(),
})

/** Everything that quickstart made. */
export type Quickstart = z.infer<typeof quickstart>

/** Only the account is known if the command was stopped before it was done. */
const kept = z.union([quickstart, z.object({ account_id: z.string() })])

/** What quickstart made, in the data directory, readable by its owner alone. */
export class QuickstartFile {
  readonly path: string

  constructor(dataDir: string) {
    this.path = resolve(join(dataDir, 'quickstart.json'))
  }

  /** @throws CommandError when the file is something else */
  read(): z.infer<typeof kept> | null {
    if (!existsSync(this.path)) return null
    try {
      return kept.parse(JSON.parse(readFileSync(this.path, 'utf8')))
    } catch (error) {
      throw new CommandError(
        'quickstart_unreadable',
        `${this.path} is not a file of posthorn quickstart: delete it, and run the command again`,
        { cause: error },
      )
    }
  }

  write(made: z.infer<typeof kept>): void {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 })
    const half = `${this.path}.new`
    writeFileSync(half, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 })
    // a process that is killed in between leaves the old file whole
    renameSync(half, this.path)
  }

  remove(): void {
    rmSync(this.path, { force: true })
  }
}
