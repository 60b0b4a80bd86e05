import { bodyMistakes } from './body-mistakes.ts'
import { headerParts } from '../rules/header-parts.ts'
import { headerValue } from '../rules/header-value.ts'
import { hmacHex } from './hmac.ts'
import { keyMistakes } from './key-mistakes.ts'
import { messageMistakes } from './message-mistakes.ts'
import type { Mistake } from './mistake.ts'
import type { Pasted } from '../rules/pasted.ts'
import { utf8Bytes } from './utf8.ts'

/** A proven mistake: without it, a signature of the header matches. */
export type FoundMistakes = readonly Mistake<unknown>[]

interface Candidate {
  readonly mistakes: FoundMistakes
  readonly key: Uint8Array<ArrayBuffer>
  readonly before: string
  readonly body: Uint8Array
}

/** Tries the common mistakes, one at a time and then in pairs. Null if none explains the failure. */
export async function findMistake(
  { header, secrets, body }: Omit<Pasted, 'nowMs'>,
  signal?: AbortSignal,
): Promise<FoundMistakes | null> {
  const { times, signatures } = headerParts(headerValue(header))
  const [time] = times
  if (time === undefined || body === null || signatures.length === 0) return null
  const wanted = new Set(signatures.map(signature => signature.hex))
  for (const candidate of candidates(secrets, time, body)) {
    signal?.throwIfAborted()
    if (wanted.has(await hmacHex(candidate.key, candidate.before, candidate.body))) return candidate.mistakes
  }
  return null
}

/** Likely mistakes come first, because the search stops at the first that explains the failure. */
function* candidates(
  secrets: readonly string[],
  time: string,
  body: Uint8Array<ArrayBuffer>,
): Generator<Candidate> {
  const right = { key: secrets.map(utf8Bytes), before: `${time}.`, body }
  const bodies = bodyMistakes(body)
  const keys = secrets.flatMap(keyMistakes)
  const befores = messageMistakes(time)

  for (const one of bodies) {
    for (const key of right.key) yield { ...right, key, mistakes: [one], body: one.undone }
  }
  for (const one of keys) yield { ...right, key: one.undone, mistakes: [one] }
  for (const one of befores) {
    for (const key of right.key) yield { ...right, key, mistakes: [one], before: one.undone }
  }
  for (const one of keys) {
    for (const two of bodies) yield { ...right, key: one.undone, body: two.undone, mistakes: [one, two] }
    for (const two of befores) yield { ...right, key: one.undone, before: two.undone, mistakes: [one, two] }
  }
}
