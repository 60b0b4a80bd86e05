/** A key that seals others, under the name by which sealed records refer to it. */
export interface MasterKey {
  readonly id: string
  readonly key: Uint8Array
}

/** A list of master keys that cannot be used. The message is one line and never shows key material. */
export class MasterKeysError extends Error {
  override readonly name = 'MasterKeysError'
}

/**
 * Reads `id:base64(32 bytes)[,id:base64…]`. The order counts: the first one encrypts, all decrypt.
 * @example
 * parseMasterKeys('2026:' + Buffer.alloc(32, 7).toString('base64'))
 * @throws MasterKeysError
 */
export function parseMasterKeys(text: string): MasterKey[] {
  const keys = text.trim().split(',').map(parseMasterKey)
  const ids = new Set<string>()
  for (const { id } of keys) {
    if (ids.has(id))
      throw new MasterKeysError(`master key id "${id}" is there twice; give each key its own id`)
    ids.add(id)
  }
  return keys
}

/** Writes master keys in the form that `parseMasterKeys` reads. */
export function formatMasterKeys(keys: readonly MasterKey[]): string {
  return keys.map(({ id, key }) => `${id}:${Buffer.from(key).toString('base64')}`).join(',')
}

function parseMasterKey(part: string, index: number): MasterKey {
  const place = `master key ${index + 1}`
  const [id, encoded, ...rest] = part.trim().split(':')
  if (id === undefined || encoded === undefined || rest.length > 0) {
    throw new MasterKeysError(`${place} must have the form id:base64, separated from the next by a comma`)
  }
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(id)) {
    throw new MasterKeysError(`${place} has an unusable id; use 1 to 64 letters, digits, "_", "-" or "."`)
  }
  const key = Buffer.from(encoded, 'base64')
  // Buffer skips what is not base64, so only the way back shows that nothing was lost
  if (key.toString('base64') !== encoded) {
    throw new MasterKeysError(`${place} ("${id}") is not base64; make one with: openssl rand -base64 32`)
  }
  if (key.length !== 32) {
    throw new MasterKeysError(
      `${place} ("${id}") has ${key.length} bytes instead of 32; make one with: openssl rand -base64 32`,
    )
  }
  return { id, key }
}
