/** A key that encrypts secrets, with the id that encrypted records contain. */
export interface MasterKey {
  readonly id: string
  readonly key: Uint8Array
}

/** The list of master keys is not valid. The message is one line and never shows key material. */
export class MasterKeysError extends Error {
  override readonly name = 'MasterKeysError'
}

/**
 * Parses `id:base64(32 bytes)[,id:base64…]`. The first key encrypts, and all keys decrypt.
 * @example
 * parseMasterKeys('2026:' + Buffer.alloc(32, 7).toString('base64'))
 * @throws MasterKeysError
 */
export function parseMasterKeys(text: string): MasterKey[] {
  const keys = text.trim().split(',').map(parseMasterKey)
  const ids = new Set<string>()
  for (const { id } of keys) {
    if (ids.has(id))
      throw new MasterKeysError(`the master key id "${id}" is used twice; give each key its own id`)
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
    throw new MasterKeysError(`${place} must have the form id:base64; separate several keys with commas`)
  }
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(id)) {
    throw new MasterKeysError(`${place} has an invalid id; use 1 to 64 letters, digits, "_", "-" or "."`)
  }
  const key = Buffer.from(encoded, 'base64')
  // Buffer ignores invalid characters, so encode again and compare
  if (key.toString('base64') !== encoded) {
    throw new MasterKeysError(`${place} ("${id}") is not base64; create a key with: openssl rand -base64 32`)
  }
  if (key.length !== 32) {
    throw new MasterKeysError(
      `${place} ("${id}") has ${key.length} bytes instead of 32; create a key with: openssl rand -base64 32`,
    )
  }
  return { id, key }
}
