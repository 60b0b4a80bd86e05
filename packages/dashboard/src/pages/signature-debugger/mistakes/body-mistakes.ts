import { byteMistakes } from './byte-mistakes.ts'
import { jsonMistakes } from './json-mistakes.ts'
import type { Mistake } from './mistake.ts'
import { textMistakes } from './text-mistakes.ts'
import { readUtf8, utf8Bytes } from './utf8.ts'

/** Common changes to a body between us and the code that verifies it. `undone` is the body as we sent it. */
export function bodyMistakes(body: Uint8Array<ArrayBuffer>): Mistake<Uint8Array<ArrayBuffer>>[] {
  const text = readUtf8(body)
  const ofText = text === null ? [] : [...textMistakes(text), ...jsonMistakes(text)]
  return [
    ...ofText.map(mistake => ({ ...mistake, undone: utf8Bytes(mistake.undone) })),
    ...byteMistakes(body),
  ]
}
