import { WebhookPayloadError } from './errors.ts'

const ID_CHARACTERS_MAX = 255

/**
 * Reads the event from bytes that were verified. Of a key that occurs twice JSON keeps the last, and integers
 * beyond 2^53 lose digits: both are JSON in JavaScript, not ours to change.
 */
export function parseEvent(bytes: Uint8Array): { id: string; type: string } {
  let value: unknown
  try {
    // Strict about UTF-8, and without a byte order mark: it was signed, but JSON.parse does not know it.
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The cause would quote the body, which holds addresses of people.
    throw new WebhookPayloadError('payload_not_json', 'the body is signed but is not JSON')
  }
  if (!isEnvelope(value)) {
    throw new WebhookPayloadError(
      'payload_not_event',
      'the body is signed but is not an event with id and type',
    )
  }
  return value
}

function isEnvelope(value: unknown): value is { id: string; type: string } {
  return (
    isObject(value) &&
    isText(value['id']) &&
    value['id'].length <= ID_CHARACTERS_MAX &&
    isText(value['type']) &&
    (value['data'] === undefined || isObject(value['data']))
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
