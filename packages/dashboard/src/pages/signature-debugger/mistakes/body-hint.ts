import type { Explanation } from './explanation.ts'
import { readUtf8 } from './utf8.ts'

/** A sign that the body was changed, although nothing proves it; null: none. */
export function bodyHint(body: Uint8Array): Explanation | null {
  const text = readUtf8(body)
  if (text === null) return { sentence: 'The body is not UTF-8. We send JSON in UTF-8.', mender: 'body' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return {
      sentence: text.trim().startsWith('{')
        ? 'The body is incomplete JSON. Was it cut off by a log?'
        : 'The body is not JSON. We send only JSON, so this is not the body of our request.',
      mender: null,
    }
  }
  if (typeof value !== 'object' || value === null) return null
  const names = Object.keys(value).join(', ')
  if (names === 'id, type, data, created_at' || !('id' in value && 'data' in value)) return null
  return {
    sentence: `The keys of the body are not in our order (${names}), so it was parsed and written again. The original order within data is unknown.`,
    mender: 'body',
  }
}
