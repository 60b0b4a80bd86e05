import type { Queryable } from '../db/database.ts'
import type { MasterKey } from '../seal/master-keys.ts'
import { createSeal, recordHead, SealError, sealedUnder } from '../seal/seal.ts'
import { refuseMissingMasterKeys } from './missing-master-keys.ts'
import { sealedColumns, type SealedColumn } from './sealed-columns.ts'

/** An encrypted value and its place. */
export interface SealedValue {
  readonly column: SealedColumn
  /** Values of the primary key. */
  readonly key: readonly string[]
  readonly sealed: Uint8Array
}

/** A master key has the right id but the wrong key. */
class WrongMasterKeyError extends Error {
  override readonly name = 'WrongMasterKeyError'
}

/**
 * Tries the master keys on values of another installation, because two installations may use the same id for their keys.
 * @throws MissingMasterKeyError, WrongMasterKeyError
 */
export function refuseWrongMasterKeys(
  values: readonly SealedValue[],
  masterKeys: readonly MasterKey[],
): void {
  refuseMissingMasterKeys(countByKey(values), masterKeys)
  const wrong = wrongMasterKeys(values, masterKeys).map(id => `"${id}"`)
  if (wrong.length === 0) return
  throw new WrongMasterKeyError(
    `the master key ${wrong.join(', ')} decrypts none of its secrets: it has the right id, but is a different key. Use the master keys of the installation that the data comes from`,
  )
}

/** The error if the first master key is wrong. */
export function mustNotSeal(id: string): Error {
  return new WrongMasterKeyError(
    `the master key "${id}" decrypts none of its secrets: it has the right id, but is a different key. Put the right key into POSTHORN_MASTER_KEYS, or into the file master-keys in the data directory. If you lost it, add a new key with another id before it`,
  )
}

/** The ids of keys that decrypt none of their values. If a key decrypts one value, the others are damaged. */
export function wrongMasterKeys(values: readonly SealedValue[], masterKeys: readonly MasterKey[]): string[] {
  const seal = createSeal(masterKeys, { bytes: () => new Uint8Array() })
  const opens = new Map<string, boolean>()
  for (const { column, key, sealed } of values) {
    const id = sealedUnder(sealed)
    if (opens.get(id) === true) continue
    try {
      seal.open(column.purpose, column.idsOf(key), sealed)
      opens.set(id, true)
    } catch (error) {
      if (!(error instanceof SealError)) throw error
      opens.set(id, false)
    }
  }
  return [...opens].filter(([, opened]) => !opened).map(([id]) => id)
}

/** The number of values by key id. */
export function countByKey(values: readonly SealedValue[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { sealed } of values) counts.set(sealedUnder(sealed), (counts.get(sealedUnder(sealed)) ?? 0) + 1)
  return counts
}

const valuesPerKeyMax = 100

/** Some values of each column and key: enough to check the master keys. */
export async function someSealedValues(db: Queryable, keyIds: Iterable<string>): Promise<SealedValue[]> {
  const values: SealedValue[] = []
  for (const id of keyIds) {
    for (const column of sealedColumns) {
      // the limit makes this fast in a large table
      const rows = await db.query<{ key: string[]; sealed: Uint8Array }>(
        `select array[${column.key.join(', ')}] as key, ${column.column} as sealed from ${column.table}
         where substr(${column.column}, 1, length($1::bytea)) = $1::bytea limit $2`,
        [Buffer.from(recordHead(id)), valuesPerKeyMax],
      )
      values.push(...rows.map(({ key, sealed }) => ({ column, key, sealed })))
    }
  }
  return values
}
