import { randomBase62 } from './base62.ts'

/**
 * A new signing secret: `whsec_` and 44 base62 characters, which hold 256 bits. The whole string, prefix included, is
 * the HMAC key as UTF-8. Base64 needs a multiple of four, so that libraries of Standard Webhooks can decode them.
 */
export function makeSigningSecret(randomBytes: (length: number) => Uint8Array): string {
  return `whsec_${randomBase62(44, randomBytes)}`
}

/** The part of a secret that lists show: `whsec_` and four characters. It cannot verify anything. */
export function signingSecretPrefix(secret: string): string {
  return secret.slice(0, 10)
}
