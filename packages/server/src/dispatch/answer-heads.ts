import { boundsOf } from '../domain/bounds.ts'
import { onceEach } from '../domain/once-each.ts'
import type { Exchange } from '../egress/egress.ts'

type Headers = Exchange['responseHeaders']

/** Stored as lines, `name: value`: shorter than JSON, and nothing to escape. */
export function headerLines(headers: Headers): string | null {
  if (headers === null) return null
  let lines = ''
  for (const name in headers) lines += `${name}: ${headers[name]}\n`
  return lines
}

/**
 * The headers of many answers, each text once: over one connection most answers begin alike, and share one object.
 * @returns all texts in UTF-8 end to end, their bounds, and for each answer the place of its text, 0 for none
 */
export function answerHeads(heads: readonly Headers[]): {
  bytes: Buffer
  bounds: number[]
  places: number[]
} {
  const objects = onceEach(heads)
  const texts = onceEach(objects.values.map(head => headerLines(head) ?? ''))
  const pieces = texts.values.map(text => Buffer.from(text))
  return {
    bytes: Buffer.concat(pieces),
    bounds: boundsOf(pieces.map(piece => piece.length)),
    places: objects.places.map((object, n) => (heads[n] === null ? 0 : (texts.places[object - 1] ?? 0))),
  }
}
