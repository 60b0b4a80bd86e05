import type { MasterKey } from '../seal/master-keys.ts'

/** Values are sealed under a master key that is not there. */
class MissingMasterKeyError extends Error {
  override readonly name = 'MissingMasterKeyError'
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
