import { eventCatalogue, sampleEvent } from '../event-catalogue.ts'
import type { EventType } from '../event-type.ts'
import type { JsonSchema } from '../json-schema.ts'
import { schemaReference } from './schema-reference.ts'

/** The request that an endpoint receives for one type of event. */
export function eventCallback(type: EventType): JsonSchema {
  const { description, body } = eventCatalogue[type]
  return {
    operationId: `receive_${type.replace('.', '_')}`,
    summary: type,
    tags: ['Event types'],
    // openapi-generator would generate a client from it, and that client does not compile in Python
    'x-internal': true,
    description: `${description} Verify the signature over the raw body before you parse it.`,
    security: [],
    parameters: headers,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemaReference(body), example: sampleEvent(type) } },
    },
    responses: {
      '2XX': {
        description: 'Your receiver has the event. Posthorn does not send it again.',
        headers: {
          'X-Service-Verified': {
            schema: { type: 'string' },
            description: 'The signature parts that your receiver verified, such as `v1,v1s`. Optional.',
          },
        },
      },
      '401': {
        description: 'The signature is wrong. Your receiver did not process the event, and Posthorn retries.',
      },
      '410': { description: 'Your receiver wants no more events. Posthorn disables the endpoint.' },
      default: {
        description: 'Posthorn retries up to 12 times with exponential backoff and full jitter.',
      },
    },
  }
}

const headers = [
  header(
    'X-Service-Signature',
    'string',
    '`t=<unix seconds>,v1=<hex HMAC-SHA256>`. During a rotation it also has `v1s` and `v1s2`.',
  ),
  header('X-Service-Event-Id', 'string', 'The `id` in the body.'),
  header('X-Service-Delivery-Id', 'string', 'The id of this delivery: one event for one endpoint.'),
  header('X-Service-Attempt', 'integer', 'The number of this attempt, starting with 1.'),
  header(
    'X-Service-Sequence',
    'integer',
    'Counts the events of this endpoint from 1 without gaps. If you see a gap, list the deliveries with `after_sequence`.',
  ),
]

function header(name: string, type: 'string' | 'integer', description: string): JsonSchema {
  return { name, in: 'header', required: true, schema: { type }, description }
}
