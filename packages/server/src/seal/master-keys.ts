import { type NamedKey, parseNamedKeys } from './named-keys.ts'

/** A key that encrypts secrets, with the id that encrypted records contain. */
export type MasterKey = NamedKey

/**
 * Parses `id:base64(32 bytes)[,id:base64…]`. The first key encrypts, and all keys decrypt.
 * @example
 * parseMasterKeys('2026:' + Buffer.alloc(32, 7).toString('base64'))
 * @throws NamedKeysError
 */
export function parseMasterKeys(text: string): MasterKey[] {
  return parseNamedKeys(text, 'master key')
}

/** Writes master keys in the form that `parseMasterKeys` reads. */
export function formatMasterKeys(keys: readonly MasterKey[]): string {
  return keys.map(({ id, key }) => `${id}:${Buffer.from(key).toString('base64')}`).join(',')
}
