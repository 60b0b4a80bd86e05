/** In every response. */
export const requestIdHeader = {
  'X-Request-Id': {
    schema: { type: 'string' },
    description: 'The id of this request. Give it to the operator when you ask for help.',
  },
} as const

/** In responses to a POST. */
export const idempotencyReplayedHeader = {
  'Idempotency-Replayed': {
    schema: { type: 'string', const: 'true' },
    description: 'Present if this response repeats the response to an earlier request with the same key.',
  },
} as const

/** In responses to requests with an API key. */
export const rateLimitHeaders = {
  'RateLimit-Limit': {
    schema: { type: 'integer' },
    description: 'How many requests you may send in a burst.',
  },
  'RateLimit-Remaining': { schema: { type: 'integer' }, description: 'How many of them are left now.' },
  'RateLimit-Reset': {
    schema: { type: 'integer' },
    description: 'Seconds until all of them are available again.',
  },
} as const

/** Makes a POST safe to repeat. */
export const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description:
    'A unique value that you choose for each request. Within 24 hours, the same request with the same key has no second effect and gets the same response, without secrets.',
} as const
