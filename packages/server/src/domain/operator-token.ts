/** A new token of an operator: `pha_` and 256 random bits. */
export function makeOperatorToken(randomBytes: (length: number) => Uint8Array): string {
  return `pha_${Buffer.from(randomBytes(32)).toString('base64url')}`
}

/** Whether `text` has the form of a token that Posthorn made for an operator. */
export function isOperatorToken(text: string): boolean {
  return /^pha_[\w-]{43}$/.test(text)
}
