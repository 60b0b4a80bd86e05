import { codeText } from './account-code.ts'
import { randomBase62 } from './base62.ts'

/**
 * A new token for the URL at which a mail provider reports: `phr_`, 37 random base62 characters (220 bits), and the account
 * code in six characters.
 */
export function makeSourceToken(accountCode: number, randomBytes: (length: number) => Uint8Array): string {
  return `phr_${randomBase62(37, randomBytes)}${codeText(accountCode)}`
}

/** Whether `text` has the form of such a token. */
export function isSourceToken(text: string): boolean {
  return /^phr_[0-9A-Za-z]{43}$/.test(text)
}
