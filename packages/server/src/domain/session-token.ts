import { codeText } from './account-code.ts'

/** A new session token: `phs_`, 37 random base64url characters (222 bits), and the account code in six characters. */
export function makeSessionToken(accountCode: number, randomBytes: (length: number) => Uint8Array): string {
  return `phs_${randomPart(randomBytes)}${codeText(accountCode)}`
}

/** Whether `text` has the form of a session token. */
export function isSessionToken(text: string): boolean {
  return /^phs_[\w-]{43}$/.test(text)
}

/** A new secret for a portal link, which works once: `phl_`, and the rest like a session token. */
export function makePortalLinkToken(
  accountCode: number,
  randomBytes: (length: number) => Uint8Array,
): string {
  return `phl_${randomPart(randomBytes)}${codeText(accountCode)}`
}

function randomPart(randomBytes: (length: number) => Uint8Array): string {
  return Buffer.from(randomBytes(28)).toString('base64url').slice(0, 37)
}
