import { statSync } from 'node:fs'
import { routes } from '@posthorn/contract'
import type { Command } from './command.ts'
import { operatorConnection, operatorNote, operatorOptions } from './connection.ts'
import { rawRequest } from './raw-request.ts'
import { refuseExisting, saveDownload } from './save-download.ts'
import { shardOption, shardQueryOf } from './shard-option.ts'

export const backup: Command = {
  name: 'backup',
  summary: 'Back up the embedded database while the service runs',
  about: [
    'The file holds every row that was committed when the copy was made. The service first copies the files on its disk,',
    'which needs free space. Meanwhile it answers no other request. The secrets in the file are encrypted with the master',
    'keys, which the backup does not contain: keep a copy of the file master-keys from the data directory in another',
    'place. Back up a PostgreSQL server with its own tools, such as pg_dump. Each shard needs a backup of its own.',
    operatorNote,
  ].join('\n'),
  operands: [{ name: 'file', meaning: 'The file to write. It must not exist yet.' }],
  options: { ...shardOption, ...operatorOptions },
  examples: ['posthorn backup posthorn-2026-11-21.tar.gz', 'posthorn backup /backups/today.tar.gz --json'],
  async run(input) {
    const path = input.operand('file')
    refuseExisting(path)
    const { body } = await rawRequest(operatorConnection(input), routes.getBackup, {
      query: shardQueryOf(input),
    })
    await saveDownload(path, body ?? [], 'backup_failed')
    const { size } = statSync(path)
    return {
      exitCode: 0,
      json: { file: path, bytes: size },
      text: `Wrote ${path} (${(size / 1e6).toFixed(1)} MB). You need the master keys to restore it: keep a copy of them in another place.`,
    }
  },
}
