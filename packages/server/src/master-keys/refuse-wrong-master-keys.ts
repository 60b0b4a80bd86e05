import type { Queryable } from '../db/database.ts'
import type { MasterKey } from '../seal/master-keys.ts'
import { createSeal, recordHead, SealError, sealedUnder } from '../seal/seal.ts'
import { refuseMissingMasterKeys } from './missing-master-keys.ts'
import { sealedColumns, type SealedColumn } from './sealed-columns.ts'

/** Something sealed, and where it belongs. */
export interface SealedValue {
  readonly column: SealedColumn
  /** Values of the primary key. */
  readonly key: readonly string[]
  readonly sealed: Uint8Array
}

/** A master key has the right id and is another one. */
class WrongMasterKeyError extends Error {
  override readonly name = 'WrongMasterKeyError'
}

/**
 * Tries the master keys on values that were brought from elsewhere: two installations may call different keys alike.
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
    `no secret opens under the master key ${wrong.join(', ')}: it has the right name and is another key. Take the master keys of the installation that the data comes from`,
  )
}

/** For a process whose first master key is a wrong one. */
export function mustNotSeal(id: string): Error {
  return new WrongMasterKeyError(
    `the master key "${id}" opens none of the secrets that are sealed under its name: it has the right name and is another key. Put the right one into POSTHORN_MASTER_KEYS, or into the file master-keys of the data directory. If it is lost for good, put a new key with another name before it`,
  )
}

/**
 * The ids of keys that open none of the values that are sealed under them. A single damaged value says nothing against
 * its key.
 */
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

/** How many values are sealed under each key, by its id. */
export function countByKey(values: readonly SealedValue[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { sealed } of values) counts.set(sealedUnder(sealed), (counts.get(sealedUnder(sealed)) ?? 0) + 1)
  return counts
}

const valuesPerKeyMax = 100

/** Some values of each column that are sealed under these keys: enough to see whether a master key fits. */
export async function someSealedValues(db: Queryable, keyIds: Iterable<string>): Promise<SealedValue[]> {
  const values: SealedValue[] = []
  for (const id of keyIds) {
    for (const column of sealedColumns) {
      // stops at the last one that it wants, however large the table is
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
