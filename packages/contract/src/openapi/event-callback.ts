import { eventCatalogue, sampleEvent } from '../event-catalogue.ts'
import type { EventType } from '../event-type.ts'
import type { JsonSchema } from '../json-schema.ts'
import { schemaReference } from './schema-reference.ts'

/** The request that a customer's endpoint receives for one type of event. */
export function eventCallback(type: EventType): JsonSchema {
  const { description, body } = eventCatalogue[type]
  return {
    operationId: `receive_${type.replace('.', '_')}`,
    summary: type,
    description: `${description} Verify the signature over the raw bytes before you parse them.`,
    security: [],
    parameters: headers,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemaReference(body), example: sampleEvent(type) } },
    },
    responses: {
      '2XX': {
        description: 'Acknowledged.',
        headers: {
          'X-Service-Verified': {
            schema: { type: 'string' },
            description: 'The signature parts that verified, as `v1,v1s`. Optional.',
          },
        },
      },
      '401': {
        description: 'The signature does not verify; the event was not processed. Tried again later.',
      },
      '410': { description: 'The endpoint is gone: it becomes disabled.' },
      default: {
        description: 'Not acknowledged: up to 12 retries with exponential backoff and full jitter.',
      },
    },
  }
}

const headers = [
  header(
    'X-Service-Signature',
    'string',
    '`t=<unix seconds>,v1=<hex HMAC-SHA256>`; in a rotation also `v1s`, `v1s2`.',
  ),
  header('X-Service-Event-Id', 'string', 'The `id` in the body.'),
  header('X-Service-Delivery-Id', 'string', 'Names this event for this endpoint.'),
  header('X-Service-Attempt', 'integer', 'Counts the attempts from 1.'),
  header('X-Service-Sequence', 'integer', 'Counts per endpoint from 1 without gaps; a gap means: ask.'),
]

function header(name: string, type: 'string' | 'integer', description: string): JsonSchema {
  return { name, in: 'header', required: true, schema: { type }, description }
}
