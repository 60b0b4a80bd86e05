import type { Queryable } from '../db/database.ts'
import type { MasterKey } from '../seal/master-keys.ts'
import { createSeal, SealError, sealedUnder } from '../seal/seal.ts'
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
 * A single damaged value is no reason to refuse the others.
 * @throws MissingMasterKeyError, WrongMasterKeyError
 */
export function refuseWrongMasterKeys(
  values: readonly SealedValue[],
  masterKeys: readonly MasterKey[],
): void {
  refuseMissingMasterKeys(countByKey(values), masterKeys)
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
  const wrong = [...opens].filter(([, opened]) => !opened).map(([id]) => `"${id}"`)
  if (wrong.length === 0) return
  throw new WrongMasterKeyError(
    `no secret opens under the master key ${wrong.join(', ')}: it has the right name and is another key. Take the master keys of the installation that the data comes from`,
  )
}

/** How many values are sealed under each key, by its id. */
export function countByKey(values: readonly SealedValue[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { sealed } of values) counts.set(sealedUnder(sealed), (counts.get(sealedUnder(sealed)) ?? 0) + 1)
  return counts
}

const valuesPerKeyMax = 100

/** Some values of each column and key: enough to see whether a master key fits. */
export async function someSealedValues(db: Queryable): Promise<SealedValue[]> {
  const values: SealedValue[] = []
  for (const column of sealedColumns) {
    const rows = await db.query<{ key: string[]; sealed: Uint8Array }>(
      `select key, sealed from (
         select array[${column.key.join(', ')}] as key, ${column.column} as sealed,
           row_number() over (partition by substr(${column.column}, 1, 2 + get_byte(${column.column}, 1))) as number
         from ${column.table} where length(${column.column}) > 2
       ) numbered where number <= $1`,
      [valuesPerKeyMax],
    )
    values.push(...rows.map(({ key, sealed }) => ({ column, key, sealed })))
  }
  return values
}
