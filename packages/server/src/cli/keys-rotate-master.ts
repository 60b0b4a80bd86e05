import { randomBytes } from 'node:crypto'
import { ConfigError, readSealSettings } from '../config.ts'
import { keptMasterKeys } from '../credentials.ts'
import type { Database } from '../db/database.ts'
import { typeId } from '../domain/type-id.ts'
import { countSealed } from '../master-keys/count-sealed.ts'
import { refuseMissingMasterKeys } from '../master-keys/missing-master-keys.ts'
import { reseal, type Unreadable } from '../master-keys/reseal.ts'
import type { MasterKey } from '../seal/master-keys.ts'
import { createSeal } from '../seal/seal.ts'
import type { Command, Report } from './command.ts'
import { CommandError } from './command-error.ts'
import { pause } from './pause.ts'
import { withOwnDatabase } from './own-database.ts'
import { progressBar } from './progress-bar.ts'

export const keysRotateMaster: Command = {
  name: 'keys rotate-master',
  summary: 'Encrypt all secrets again with the first master key',
  about: [
    'Use it to replace a master key. First give every process both keys, the new one first, in POSTHORN_MASTER_KEYS or',
    'in the file master-keys in the data directory. Then run this command. At the end, it says whether you can remove',
    'the old key. If you stop it, run it again: it continues where it stopped. See docs/run/master-keys.md.',
    'Works on the PostgreSQL server in DATABASE_URL while the service runs, or on the data directory',
    '(POSTHORN_DATA_DIR). Stop the service first if it uses the data directory.',
  ].join('\n'),
  examples: [
    'POSTHORN_MASTER_KEYS=second:…,first:… DATABASE_URL=postgres://posthorn@db/posthorn posthorn keys rotate-master',
    'posthorn keys rotate-master --json',
  ],
  async run(input) {
    const masterKeys = readMasterKeys()
    return await withOwnDatabase('rotation_failed', async db => {
      return await rotate(db, masterKeys, input.flag('json'))
    })
  },
}

function readMasterKeys(): MasterKey[] {
  try {
    const { dataDir, masterKeys } = readSealSettings()
    const keys = masterKeys ?? keptMasterKeys(dataDir)
    if (keys !== null) return keys
    throw new ConfigError(`there are no master keys, neither in POSTHORN_MASTER_KEYS nor in ${dataDir}`)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new CommandError('setting_invalid', error.message, { cause: error })
  }
}

async function rotate(db: Database, masterKeys: MasterKey[], quiet: boolean): Promise<Report> {
  const [first, ...others] = masterKeys.map(({ id }) => id)
  if (first === undefined) throw new CommandError('setting_invalid', 'there are no master keys')
  const before = await countSealed(db)
  refuseMissingMasterKeys(before, masterKeys)
  const total = sum(before) - (before.get(first) ?? 0)
  const bar = quiet ? null : progressBar(process.stderr, ' secrets')
  bar?.show(0, total)
  const { resealed, unreadable } = await reseal({
    db,
    seal: createSeal(masterKeys, { bytes: length => randomBytes(length) }),
    keyId: first,
    onProgress: done => bar?.show(done, total),
    wait: async ms => await pause(ms, new AbortController().signal),
  })
  bar?.end()
  const after = await countSealed(db)
  const left = sum(after) - (after.get(first) ?? 0)
  const json = { master_key: first, resealed, sealed: after.get(first) ?? 0, left, removable: others }
  if (left === 0) return { exitCode: 0, json, text: done(first, others, resealed) }
  const lines = unreadable.map(one => `  ${place(one)}: ${one.reason}`)
  const text = `Encrypted ${resealed} secrets with "${first}". Keep the other keys: ${left} secrets could not be encrypted again.`
  return { exitCode: 1, json: { ...json, removable: [] }, text: [text, ...lines].join('\n') }
}

function done(first: string, others: readonly string[], resealed: number): string {
  const text = `Encrypted ${resealed} secrets again. All secrets now use "${first}".`
  if (others.length === 0) return text
  const names = others.map(id => `"${id}"`).join(', ')
  return `${text}\nYou can remove ${names} from the master keys of every process. Keep a copy for older backups.`
}

/** Describes a secret by its purpose and the ids of its owner. */
function place({ column, key }: Unreadable): string {
  const { accountId, endpointId, domainId } = column.idsOf(key)
  const owner =
    endpointId !== undefined
      ? `${typeId('wh', endpointId)} `
      : domainId !== undefined
        ? `${typeId('dom', domainId)} `
        : ''
  return `${column.purpose.replaceAll('_', ' ')} of ${owner}${typeId('acct', accountId)}`
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((all, one) => all + one, 0)
}
