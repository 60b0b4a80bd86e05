import type { Explanation } from './explanation.ts'
import { readUtf8 } from './utf8.ts'

/** What a body shows by itself of having been changed, although nothing proves it; null: nothing. */
export function bodyHint(body: Uint8Array): Explanation | null {
  const text = readUtf8(body)
  if (text === null) return { sentence: 'The body is not UTF-8. We send JSON in UTF-8.', mender: 'body' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return {
      sentence: text.trim().startsWith('{')
        ? 'The body is no whole JSON. Was it cut off, or shortened by a log?'
        : 'The body is not JSON. We send nothing else, so this is not the body of our request.',
      mender: null,
    }
  }
  if (typeof value !== 'object' || value === null) return null
  const names = Object.keys(value).join(', ')
  if (names === 'id, type, data, created_at' || !('id' in value && 'data' in value)) return null
  return {
    sentence: `The keys of the body are in another order than ours (${names}): it was parsed and written again. The order within data cannot be known any more.`,
    mender: 'body',
  }
}
