import { createReadStream, openSync } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { masterKeysPath } from '../credentials.ts'
import type { Backlog } from '../maintenance/pace-backlog.ts'
import { countSealed } from '../master-keys/count-sealed.ts'
import { refuseMissingMasterKeys } from '../master-keys/missing-master-keys.ts'
import { refuseWrongMasterKeys, someSealedValues } from '../master-keys/refuse-wrong-master-keys.ts'
import type { MasterKey } from '../seal/master-keys.ts'
import { backlogJson, describeBacklog } from './describe-backlog.ts'
import { calledAs } from './called-as.ts'
import type { Command } from './command.ts'
import { CommandError } from './command-error.ts'
import { describeFailure } from './describe-failure.ts'
import { availableMasterKeys, masterKeysOption } from './master-keys-option.ts'
import { settingHint } from './setting-hint.ts'

export const restore: Command = {
  name: 'restore',
  summary: 'Restore the embedded database from a backup',
  about: [
    `Restores into the data directory (${settingHint('POSTHORN_DATA_DIR')}), which must not contain a database yet.`,
    'Stop the service first. The restore needs the master keys from the time of the backup. Put them into',
    'POSTHORN_MASTER_KEYS, or copy the file master-keys into the data directory, which --master-keys does for you.',
    'After the next start, the service sends the deliveries that were due at the time of the backup, including those',
    'that were delivered since. Each endpoint receives them at the rate in POSTHORN_DRAIN_PER_SECOND.',
  ].join('\n'),
  operands: [{ name: 'file', meaning: 'The file that posthorn backup wrote.' }],
  options: masterKeysOption,
  examples: [
    'posthorn restore posthorn-2026-11-21.tar.gz --master-keys /safe/master-keys',
    'POSTHORN_DATA_DIR=/var/lib/posthorn posthorn restore /backups/today.tar.gz',
  ],
  async run(input) {
    const path = input.operand('file')
    const archive = readArchive(path)
    const settings = readSettings()
    const { dataDir } = settings
    const { keys, keep } = availableMasterKeys(input, settings)
    if (keys === null) {
      throw new CommandError(
        'master_keys_missing',
        `the master keys of the backup are missing: copy them to ${masterKeysPath(dataDir)}, or give their file with --master-keys`,
      )
    }
    try {
      const { version, backlog } = await restoreInto(dataDir, archive, keys, keep)
      return {
        exitCode: 0,
        json: { data_dir: dataDir, schema_version: version, ...backlogJson(backlog) },
        text: [
          `Restored ${path} to ${dataDir} (schema version ${version}).`,
          describeBacklog(backlog),
          `Next: ${calledAs()} start`,
        ].join('\n'),
      }
    } catch (error) {
      throw new CommandError('restore_failed', describeFailure(error), { cause: error })
    }
  },
}

/** Imports the database code here because it is slow to load. */
async function restoreInto(
  dataDir: string,
  archive: AsyncIterable<Uint8Array>,
  masterKeys: readonly MasterKey[],
  keepKeys: () => void,
): Promise<{ version: number; backlog: Backlog }> {
  const [{ restoreEmbeddedDatabase }, { migrate }, { paceBacklog }] = await Promise.all([
    import('../db/restore-embedded-database.ts'),
    import('../db/migrate.ts'),
    import('../maintenance/pace-backlog.ts'),
  ])
  return await restoreEmbeddedDatabase(dataDir, archive, async database => {
    const { version } = await migrate(database)
    const sealed = await countSealed(database)
    refuseMissingMasterKeys(sealed, masterKeys)
    refuseWrongMasterKeys(await someSealedValues(database, sealed.keys()), masterKeys)
    const backlog = await paceBacklog(database)
    keepKeys()
    return { version, backlog }
  })
}

function readSettings(): Config {
  try {
    const { config } = readConfig()
    if (config.databaseUrl === null) return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new CommandError('setting_invalid', error.message, { cause: error })
  }
  throw new CommandError(
    'setting_invalid',
    `DATABASE_URL is set. Restore a PostgreSQL server with its own tools, then run ${calledAs()} pace-backlog. To restore the embedded database, unset DATABASE_URL`,
  )
}

function readArchive(path: string): AsyncIterable<Uint8Array> {
  try {
    return pipeline(createReadStream(path, { fd: openSync(path, 'r') }), createGunzip(), () => {})
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError('file_unreadable', `${path} cannot be read: ${reason}`, { cause: error })
  }
}
