/** A secret key with the id that tells which key was used. */
export interface NamedKey {
  readonly id: string
  readonly key: Uint8Array
}

/** A list of keys is not valid. The message is one line and never shows key material. */
export class NamedKeysError extends Error {
  override readonly name = 'NamedKeysError'
}

/**
 * Parses `id:base64(32 bytes)[,id:base64…]`.
 * @param what what the keys are called in errors
 * @example
 * parseNamedKeys('2026:' + Buffer.alloc(32, 7).toString('base64'), 'shard key')
 * @throws NamedKeysError
 */
export function parseNamedKeys(text: string, what: string): NamedKey[] {
  const keys = text
    .trim()
    .split(',')
    .map((part, index) => parseNamedKey(part, `${what} ${index + 1}`))
  const ids = new Set<string>()
  for (const { id } of keys) {
    if (ids.has(id))
      throw new NamedKeysError(`the ${what} id "${id}" is used twice; give each key its own id`)
    ids.add(id)
  }
  return keys
}

function parseNamedKey(part: string, place: string): NamedKey {
  const [id, encoded, ...rest] = part.trim().split(':')
  if (id === undefined || encoded === undefined || rest.length > 0) {
    throw new NamedKeysError(`${place} must have the form id:base64; separate several keys with commas`)
  }
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(id)) {
    throw new NamedKeysError(`${place} has an invalid id; use 1 to 64 letters, digits, "_", "-" or "."`)
  }
  const key = Buffer.from(encoded, 'base64')
  // Buffer ignores invalid characters, so encode again and compare
  if (key.toString('base64') !== encoded) {
    throw new NamedKeysError(`${place} ("${id}") is not base64; create a key with: openssl rand -base64 32`)
  }
  if (key.length !== 32) {
    throw new NamedKeysError(
      `${place} ("${id}") has ${key.length} bytes instead of 32; create a key with: openssl rand -base64 32`,
    )
  }
  return { id, key }
}
