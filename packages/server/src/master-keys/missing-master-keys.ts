import type { MasterKey } from '../seal/master-keys.ts'

/** Values are sealed under a master key that is not there. */
export class MissingMasterKeyError extends Error {
  override readonly name = 'MissingMasterKeyError'

  /** There is not a single one. */
  static all(counts: ReadonlyMap<string, number>, path: string): MissingMasterKeyError {
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    return new MissingMasterKeyError(
      `the database holds ${total} sealed values, and there are no master keys to open them. Put the file of the installation they come from back at ${path}, or set POSTHORN_MASTER_KEYS`,
    )
  }
}

/**
 * Looks whether every key is there that something is sealed under. Without it nothing would be signed wrongly, but
 * those endpoints would fail one after the other, long after somebody took the key away.
 *
 * @param counts of values by the id of their key
 * @throws MissingMasterKeyError
 */
export function refuseMissingMasterKeys(
  counts: ReadonlyMap<string, number>,
  masterKeys: readonly MasterKey[],
): void {
  const known = new Set(masterKeys.map(({ id }) => id))
  // a damaged record may name anything; it fails closed for its own endpoint
  const missing = [...counts].filter(([id]) => masterKeyId.test(id) && !known.has(id))
  if (missing.length === 0) return
  const what = missing.map(([id, count]) => `"${id}" (${count} sealed values)`).join(', ')
  throw new MissingMasterKeyError(
    `the master keys lack ${what}: put it back behind the others; "posthorn keys rotate-master" says when it may go`,
  )
}

const masterKeyId = /^[A-Za-z0-9_.-]{1,64}$/
