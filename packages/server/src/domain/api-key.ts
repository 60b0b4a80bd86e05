import { codeText } from './account-code.ts'
import { randomBase62, toBase62 } from './base62.ts'

const prefix = 'phk_'
const randomLength = 24
const checkLength = 6

/**
 * A new API key: `phk_`, 24 random base62 characters (142 bits), the account code in six, and the CRC-32 of these 30 in six.
 * The checksum shows without the database that a key is mistyped, or that a secret scanner found something else.
 */
export function makeApiKey(accountCode: number, randomBytes: (length: number) => Uint8Array): string {
  const checked = randomBase62(randomLength, randomBytes) + codeText(accountCode)
  return prefix + checked + checkCharacters(checked)
}

/**
 * Whether `text` has the form of an API key, check characters included.
 * @example
 * isApiKey('phk_' + '0'.repeat(36)) // false: wrong checksum
 */
export function isApiKey(text: string): boolean {
  const match = /^phk_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(text)
  return match?.[1] !== undefined && checkCharacters(match[1]) === match[2]
}

/** The part of a key that lists show: enough to tell keys apart, and far too little to guess one. */
export function apiKeyPrefix(key: string): string {
  return key.slice(0, prefix.length + 6)
}

function checkCharacters(checked: string): string {
  return toBase62(crc32(checked), checkLength)
}

/** CRC-32 of ASCII text (IEEE 802.3, reflected, as in zlib). It needs no table, because keys are short. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
