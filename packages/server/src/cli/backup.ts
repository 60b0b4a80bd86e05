import { statSync } from 'node:fs'
import { routes } from '@posthorn/contract'
import type { Command } from './command.ts'
import { operatorConnection, operatorNote, operatorOptions } from './connection.ts'
import { rawRequest } from './raw-request.ts'
import { refuseExisting, saveDownload } from './save-download.ts'

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
    refuseExisting(path)
    const { body } = await rawRequest(operatorConnection(input), routes.getBackup)
    await saveDownload(path, body ?? [], 'backup_failed')
    const { size } = statSync(path)
    return {
      exitCode: 0,
      json: { file: path, bytes: size },
      text: `Wrote ${path} (${(size / 1e6).toFixed(1)} MB). It is of no use without the master keys: keep those elsewhere.`,
    }
  },
}
