import type { MasterKey } from '../seal/master-keys.ts'

/** There are values whose master key is missing. */
export class MissingMasterKeyError extends Error {
  override readonly name = 'MissingMasterKeyError'

  /** There are no master keys at all. */
  static all(counts: ReadonlyMap<string, number>, path: string): MissingMasterKeyError {
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    return new MissingMasterKeyError(
      `the database has ${total} encrypted values, but there are no master keys. Restore the master keys of this installation at ${path}, or set POSTHORN_MASTER_KEYS`,
    )
  }
}

/**
 * Checks that no key of an encrypted value is missing. Otherwise its endpoint would fail later, when the removal of the
 * key is long forgotten.
 *
 * @param counts the number of values by the id of their key
 * @throws MissingMasterKeyError
 */
export function refuseMissingMasterKeys(
  counts: ReadonlyMap<string, number>,
  masterKeys: readonly MasterKey[],
): void {
  const known = new Set(masterKeys.map(({ id }) => id))
  // a damaged record may have any id, and affects only its own endpoint
  const missing = [...counts].filter(([id]) => masterKeyId.test(id) && !known.has(id))
  if (missing.length === 0) return
  const what = missing.map(([id, count]) => `"${id}" (${count} encrypted values)`).join(', ')
  throw new MissingMasterKeyError(
    `the master keys do not include ${what}: add it again after the others. "posthorn keys rotate-master" says when you can remove it`,
  )
}

const masterKeyId = /^[A-Za-z0-9_.-]{1,64}$/
