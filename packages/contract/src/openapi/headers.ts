/** On every answer. */
export const requestIdHeader = {
  'X-Request-Id': {
    schema: { type: 'string' },
    description: 'Names this request; give it when you ask for help.',
  },
} as const

/** On the answers of a POST. */
export const idempotencyReplayedHeader = {
  'Idempotency-Replayed': {
    schema: { type: 'string', const: 'true' },
    description: 'This is the answer of an earlier request with the same key.',
  },
} as const

/** On the answers to an API key. */
export const rateLimitHeaders = {
  'RateLimit-Limit': { schema: { type: 'integer' }, description: 'Requests that may come at once.' },
  'RateLimit-Remaining': { schema: { type: 'integer' }, description: 'How many of them are left.' },
  'RateLimit-Reset': { schema: { type: 'integer' }, description: 'Seconds until all are there again.' },
} as const

/** Makes a POST safe to repeat. */
export const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description: 'The same key and the same request within 24 hours get the same answer, secrets left out.',
} as const
