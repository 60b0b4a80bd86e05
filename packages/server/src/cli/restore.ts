import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
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
import { masterKeysAtHand, masterKeysOption } from './master-keys-option.ts'
import { settingHint } from './setting-hint.ts'

export const restore: Command = {
  name: 'restore',
  summary: 'Make the embedded database from a backup',
  about: [
    `Works on the data directory (${settingHint('POSTHORN_DATA_DIR')}), which must hold no database yet, while no`,
    'service runs on it. The master keys of the time of the backup must be there too: in POSTHORN_MASTER_KEYS, as the',
    'file master-keys in the data directory, or named with --master-keys, which copies them there. What was waiting',
    'to be sent at the time of the backup is sent once the service starts, again where it had been sent since, and no',
    'faster than the backlog of an endpoint that is enabled again (POSTHORN_DRAIN_PER_SECOND).',
  ].join('\n'),
  operands: [{ name: 'file', meaning: 'What posthorn backup wrote.' }],
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
    const { keys, keep } = masterKeysAtHand(input, settings)
    if (keys === null) {
      throw new CommandError(
        'master_keys_missing',
        `the secrets in the backup cannot be opened: copy its master keys to ${masterKeysPath(dataDir)}, or name them with --master-keys`,
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

/** Loaded here, so that commands which need no database do not wait for it. */
async function restoreInto(
  dataDir: string,
  archive: Uint8Array<ArrayBuffer>,
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
    `DATABASE_URL is set: restore a PostgreSQL server with its own tools, then run ${calledAs()} pace-backlog; unset it for the embedded database`,
  )
}

function readArchive(path: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(gunzipSync(readFileSync(path)))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError('file_unreadable', `${path} is no whole backup: ${reason}`, { cause: error })
  }
}
