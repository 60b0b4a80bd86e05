import { computeSignature, type SignatureInput, signatureParts } from '@posthorn/receiver/debug'
import { headerValue } from '../rules/header-value.ts'
import type { Pasted } from '../rules/pasted.ts'
import { timeText } from '../rules/signed-at.ts'
import { byteMistakes } from './byte-mistakes.ts'
import { jsonMistakes } from './json-mistakes.ts'
import { keyMistakes } from './key-mistakes.ts'
import { messageMistakes } from './message-mistakes.ts'
import type { Mistake } from './mistake.ts'
import { textMistakes } from './text-mistakes.ts'
import { readUtf8, utf8Bytes } from './utf8.ts'

/** A proven mistake: without it, a signature of the header matches. */
export type FoundMistakes = readonly Mistake<unknown>[]

interface Candidate extends SignatureInput {
  readonly mistakes: FoundMistakes
}

/** Tries the common mistakes, one at a time and then in pairs. Null if none explains the failure. */
export async function findMistake(
  { header, secrets, body }: Omit<Pasted, 'nowMs'>,
  signal?: AbortSignal,
): Promise<FoundMistakes | null> {
  const value = headerValue(header)
  const time = timeText(value)
  if (time === undefined || body === null) return null
  const wanted = new Set(signatureParts(value).map(part => part.value.toLowerCase()))
  for (const candidate of candidates(secrets, time, body)) {
    signal?.throwIfAborted()
    if (wanted.has(await computeSignature(candidate))) return candidate.mistakes
  }
  return null
}

/** Likely mistakes come first, because the search stops at the first that explains the failure. */
function* candidates(
  secrets: readonly string[],
  time: string,
  body: Uint8Array<ArrayBuffer>,
): Generator<Candidate> {
  const right = { before: `${time}.`, body }
  const bodies = bodyMistakes(body)
  const keys = secrets.flatMap(keyMistakes)
  const befores = messageMistakes(time)

  for (const one of bodies) {
    for (const key of secrets) yield { ...right, key, mistakes: [one], body: one.undone }
  }
  for (const one of keys) yield { ...right, key: one.undone, mistakes: [one] }
  for (const one of befores) {
    for (const key of secrets) yield { ...right, key, mistakes: [one], before: one.undone }
  }
  for (const one of keys) {
    for (const two of bodies) yield { ...right, key: one.undone, body: two.undone, mistakes: [one, two] }
    for (const two of befores) yield { ...right, key: one.undone, before: two.undone, mistakes: [one, two] }
  }
}

/** Common changes to a body between us and the code that verifies it. `undone` is the body as we sent it. */
function bodyMistakes(body: Uint8Array<ArrayBuffer>): Mistake<Uint8Array<ArrayBuffer>>[] {
  const text = readUtf8(body)
  const ofText = text === null ? [] : [...textMistakes(text), ...jsonMistakes(text)]
  return [
    ...ofText.map(mistake => ({ ...mistake, undone: utf8Bytes(mistake.undone) })),
    ...byteMistakes(body),
  ]
}
