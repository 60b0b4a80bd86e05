/**
 * Encodes the position of a page's last row as opaque text that is safe in a query string.
 *
 * @example
 * encodeCursor(['019aa5f0-0000-7000-8000-000000000001'])
 */
export function encodeCursor(values: readonly string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** The values of a cursor from `encodeCursor`, or null for any other text. */
export function decodeCursor(text: string): string[] | null {
  if (text.length === 0 || text.length > textLengthMax || !/^[\w-]+$/.test(text)) return null
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(values) && values.length > 0 && values.every(isPlain) ? values : null
  } catch {
    return null
  }
}

const textLengthMax = 1024

/** PostgreSQL refuses NUL in text, so a forged cursor must not contain one. */
function isPlain(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0')
}
