import { tag } from './body-bytes.ts'
import { WebhookPayloadError } from './errors.ts'

// Limited because ids become keys in stores and types become labels.
const NAME_CHARACTERS_MAX = 255

/**
 * Parses the event from verified bytes. As usual with `JSON.parse`, the last of duplicate keys wins, and integers above
 * 2^53 lose digits.
 */
export function parseEvent<E>(bytes: Uint8Array): E {
  let value: unknown
  try {
    // Rejects invalid UTF-8 and removes a byte order mark, which JSON.parse does not accept.
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // No cause, because it would quote the body, which contains personal addresses.
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

/** Safe, because the signature proves that Posthorn created these bytes. */
function asEvent<E>(value: unknown): E {
  return value as E
}
