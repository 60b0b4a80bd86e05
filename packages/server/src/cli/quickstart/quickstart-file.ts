import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import * as z from 'zod'
import { CommandError } from '../command-error.ts'

const quickstart = z.object({
  account_id: z.string(),
  api_key: z.string(),
  webhook_id: z.string(),
  /** The signing secret of the endpoint. */
  secret: z.string(),
  /** The port of the receiver. */
  port: z.int(),
})

/** Everything that quickstart created. */
export type Quickstart = z.infer<typeof quickstart>

/** If the command was stopped early, only the account is known. */
const saved = z.union([quickstart, z.object({ account_id: z.string() })])

/** A file in the data directory with everything that quickstart created; only its owner can read it. */
export class QuickstartFile {
  readonly path: string

  constructor(dataDir: string) {
    this.path = resolve(join(dataDir, 'quickstart.json'))
  }

  /** @throws CommandError if it is not a quickstart file */
  read(): z.infer<typeof saved> | null {
    if (!existsSync(this.path)) return null
    try {
      return saved.parse(JSON.parse(readFileSync(this.path, 'utf8')))
    } catch (error) {
      throw new CommandError(
        'quickstart_unreadable',
        `${this.path} is not a file of posthorn quickstart: delete it and run the command again`,
        { cause: error },
      )
    }
  }

  /**
   * Called before anything is created or deleted, which this file then has to record.
   * @throws CommandError if the file cannot be written
   */
  checkWritable(): void {
    const trial = `${this.path}.new`
    try {
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 })
      writeFileSync(trial, '', { mode: 0o600 })
      rmSync(trial)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new CommandError(
        'quickstart_unwritable',
        `cannot write ${this.path} (${reason}): run the command as the user of the service, or set POSTHORN_DATA_DIR to a directory that you can write to`,
        { cause: error },
      )
    }
  }

  write(made: z.infer<typeof saved>): void {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 })
    const temporary = `${this.path}.new`
    writeFileSync(temporary, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 })
    // if the process is killed in between, the old file stays intact
    renameSync(temporary, this.path)
  }

  remove(): void {
    rmSync(this.path, { force: true })
  }
}
