/** The bytes of base64 in either alphabet, with or without padding, ignoring white space; null if it is not base64. */
export function bytesFromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const bare = text
    .replace(/\s+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '')
  if (bare === '' || !/^[A-Za-z0-9+/]+$/.test(bare) || bare.length % 4 === 1) return null
  return Uint8Array.from(atob(bare), character => character.charCodeAt(0))
}
