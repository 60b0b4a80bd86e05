import { createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { routes } from '@posthorn/contract'
import type { Command } from './command.ts'
import { CommandError } from './command-error.ts'
import { operatorConnection, operatorNote, operatorOptions } from './connection.ts'
import { rawRequest } from './raw-request.ts'

export const backup: Command = {
  name: 'backup',
  summary: 'Copy the embedded database to a file while the service runs',
  about: [
    'The file holds every row that was committed when the copy was made; the service answers nothing else while it is',
    'made. Secrets in it are sealed, and what opens them, the file master-keys in the data directory, is not in it:',
    'keep a copy of that in another place. A PostgreSQL server is backed up by pg_dump and the like instead.',
    operatorNote,
  ].join('\n'),
  operands: [{ name: 'file', meaning: 'Where to write it; nothing is overwritten.' }],
  options: operatorOptions,
  examples: ['posthorn backup posthorn-2026-11-21.tar.gz', 'posthorn backup /backups/today.tar.gz --json'],
  async run(input) {
    const path = input.operand('file')
    if (existsSync(path)) throw new CommandError('file_exists', `${path} exists; name another file`)
    const { body } = await rawRequest(operatorConnection(input), routes.getBackup)
    // what broke off half-way must not look like a backup
    const part = `${path}.part`
    try {
      await pipeline(body ?? [], createWriteStream(part, { mode: 0o600, flush: true }))
      renameSync(part, path)
    } catch (error) {
      rmSync(part, { force: true })
      const reason = error instanceof Error ? error.message : String(error)
      throw new CommandError('backup_failed', `${path} was not written: ${reason}`, { cause: error })
    }
    const { size } = statSync(path)
    return {
      exitCode: 0,
      json: { file: path, bytes: size },
      text: `Wrote ${path} (${(size / 1e6).toFixed(1)} MB). It is of no use without the master keys: keep those elsewhere.`,
    }
  },
}
