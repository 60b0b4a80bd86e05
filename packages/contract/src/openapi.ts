import { defaultEventTypes, type EventType, optInEventTypes } from './event-type.ts'
import { type JsonSchema, namedJsonSchemas } from './json-schema.ts'
import { eventCallback } from './openapi/event-callback.ts'
import { operation } from './openapi/operation.ts'
import { sharedProblemResponses } from './openapi/problem-responses.ts'
import { referencedSchemas } from './openapi/referenced-schemas.ts'
import type { Route } from './route.ts'
import { tagGroups } from './tags.ts'

export interface OpenApiOptions {
  version: string
  serverUrl: string
}

const about = [
  'Posthorn sends signed webhooks for email outcomes. Guides for each task are in the `docs` folder of Posthorn.',
  '',
  '## Requests',
  '',
  '- Send your credential as `Authorization: Bearer <credential>`. An API key has one or more of the scopes',
  '  `read`, `send`, `ingest` and `keys`; each operation names the scopes that it needs.',
  '- Requests and responses are JSON in UTF-8. Posthorn refuses fields that it does not know.',
  '- Repeat a POST safely with an `Idempotency-Key`: within 24 hours, the same request with the same key has no second',
  '  effect and gets the same response.',
  '- Lists return up to `limit` items and a `next_cursor`. Pass it as `cursor` to get the next page; it is null on the',
  '  last page.',
  '- Times are in UTC (RFC 3339).',
  '',
  '## Errors',
  '',
  'Every error is a problem document (RFC 9457). Use `code` in programs: the list is closed, and each operation names the',
  'codes that it returns. `detail` says what to do. With 422, `errors` names each wrong field. Give the operator',
  '`request_id` when you ask for help. After 429 and 503, wait for the number of seconds in `Retry-After`.',
  '',
  '## Values',
  '',
  'Posthorn stores what you send unchanged, or refuses it with 422:',
  '',
  '- Text must be valid Unicode. Posthorn refuses an unpaired surrogate, such as `\\ud801` alone.',
  '- A number must fit into a double (IEEE 754). A whole number must be exactly representable. A fraction may have up to 17',
  '  significant digits. Posthorn refuses `9007199254740993` and `1e400`. Send such values as strings.',
  '- A body, or one outcome in a batch, may have up to 20,000 fields and elements, nested up to 100 deep.',
].join('\n')

/**
 * The OpenAPI 3.1 document of the API, with the four default events in its `webhooks` section, and the others in `x-opt-in-webhooks`.
 *
 * @example
 * openApiDocument(routes, { version: '0.1.0', serverUrl: 'https://posthorn.example.com' })
 */
export function openApiDocument(
  routes: Readonly<Record<string, Route>>,
  { version, serverUrl }: OpenApiOptions,
): JsonSchema {
  const paths = pathsOf(Object.values(routes), serverUrl)
  const responses = sharedProblemResponses(Object.values(routes))
  const webhooks = callbacksOf(defaultEventTypes)
  const optIn = callbacksOf(optInEventTypes)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Posthorn API',
      version,
      description: about,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    tags: Object.values(tagGroups).flatMap(group =>
      Object.entries(group).map(([name, description]) => ({ name, description })),
    ),
    'x-tagGroups': Object.entries(tagGroups).map(([name, group]) => ({ name, tags: Object.keys(group) })),
    paths,
    webhooks,
    'x-opt-in-webhooks': optIn,
    components: {
      schemas: referencedSchemas(
        { paths, webhooks, optIn, responses },
        namedJsonSchemas('#/components/schemas/'),
      ),
      responses,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key of an account (`phk_…`) with one or more of the scopes `read`, `send`, `ingest` and `keys`.',
        },
        operatorToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The operator token of the installation, or the named token of an operator (`pha_…`) with the role `view` or `change`.',
        },
        sessionCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-posthorn',
          description:
            'The session cookie of the dashboard. It allows what the credential of the sign-in allows. Requests other than GET also need `X-CSRF-Token`. (On `http://127.0.0.1` the cookie is named `posthorn`.)',
        },
        sessionToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The `access_token` of a portal in a frame (`phs_…`).',
        },
      },
    },
  }
}

function callbacksOf(types: readonly EventType[]): JsonSchema {
  return Object.fromEntries(types.map(type => [type, { post: eventCallback(type) }]))
}

function pathsOf(routes: readonly Route[], serverUrl: string): JsonSchema {
  const paths: Record<string, JsonSchema> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, serverUrl) }
  }
  return paths
}
