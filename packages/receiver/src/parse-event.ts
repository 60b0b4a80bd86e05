import { tag } from './body-bytes.ts'
import { WebhookPayloadError } from './errors.ts'

// Ids become keys in stores, and types become labels.
const NAME_CHARACTERS_MAX = 255

/**
 * Reads the event from bytes that were verified. Of a key that occurs twice JSON keeps the last, and integers
 * beyond 2^53 lose digits: both are JSON in JavaScript, not ours to change.
 */
export function parseEvent<E>(bytes: Uint8Array): E {
  let value: unknown
  try {
    // Strict about UTF-8, and without a byte order mark: it was signed, but JSON.parse does not know it.
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The cause would quote the body, which holds addresses of people.
    throw new WebhookPayloadError('payload_not_json')
  }
  if (!isEnvelope(value)) {
    throw new WebhookPayloadError('payload_not_event')
  }
  return asEvent(value)
}

function isEnvelope(value: unknown): value is { id: string; type: string } {
  return (
    isObject(value) &&
    isText(value['id']) &&
    isText(value['type']) &&
    (value['data'] === undefined || isObject(value['data']))
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= NAME_CHARACTERS_MAX
}

function isObject(value: unknown): value is Record<string, unknown> {
  return tag(value) === '[object Object]'
}

/** The signature vouches for the rest of the shape: only Posthorn could have made these bytes. */
function asEvent<E>(value: unknown): E {
  return value as E
}
