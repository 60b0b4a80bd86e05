import { bytesFromBase64 } from './base64.ts'
import type { Mistake } from './mistake.ts'
import { readUtf8 } from './utf8.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Bodies that were decoded with the wrong encoding. `undone` is the original. */
export function byteMistakes(body: Bytes): Mistake<Bytes>[] {
  const text = readUtf8(body) ?? ''
  const candidates: readonly [was: string, fits: string, undone: Bytes | null][] = [
    ['the body is still in base64, as some gateways pass it on', 'once it is decoded', bytesFromBase64(text)],
    ['UTF-8 was read as Latin-1 and written again', 'if that is undone', withoutLatin1(text)],
    ['the body was saved as UTF-16', 'as UTF-8', withoutUtf16(body)],
  ]
  return candidates.flatMap(([was, fits, undone]) =>
    undone === null ? [] : [{ was, fits, mender: 'body', undone }],
  )
}

/** The bytes that were read as one character each. */
function withoutLatin1(text: string): Bytes | null {
  if (!/[\u0080-\u00ff]/.test(text) || /[^\p{ASCII}\u0080-\u00ff]/u.test(text)) return null
  const bytes = Uint8Array.from(text, character => character.charCodeAt(0))
  return readUtf8(bytes) === null ? null : bytes
}

function withoutUtf16(body: Bytes): Bytes | null {
  const [first, second] = body
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null
  return encoding === null ? null : new TextEncoder().encode(new TextDecoder(encoding).decode(body))
}
