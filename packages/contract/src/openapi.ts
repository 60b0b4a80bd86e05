import { eventTypes } from './event-type.ts'
import { type JsonSchema, namedJsonSchemas } from './json-schema.ts'
import { eventCallback } from './openapi/event-callback.ts'
import { operation } from './openapi/operation.ts'
import { referencedSchemas } from './openapi/referenced-schemas.ts'
import type { Route } from './route.ts'

export interface OpenApiOptions {
  version: string
  serverUrl: string
}

const about = [
  'Signed webhooks for email outcomes.',
  '',
  'Requests and answers are JSON in UTF-8. Posthorn keeps what you send, or refuses it with 422 and the path:',
  '',
  '- Text must be valid Unicode. An unpaired surrogate, such as `\\ud801` alone, is refused.',
  '- A number must fit into a double (IEEE 754). A whole number must be exactly representable: `9007199254740993` is',
  '  refused. A fraction may have up to 17 significant digits. `1e400` is refused. Send such values as strings.',
  '- A body, or one outcome in a batch, may have up to 20,000 fields and elements, nested up to 100 deep.',
].join('\n')

/**
 * The OpenAPI 3.1 document of the API, with the four events in its `webhooks` section.
 *
 * @example
 * openApiDocument(routes, { version: '0.1.0', serverUrl: 'https://posthorn.example.com' })
 */
export function openApiDocument(
  routes: Readonly<Record<string, Route>>,
  { version, serverUrl }: OpenApiOptions,
): JsonSchema {
  const paths = pathsOf(Object.values(routes))
  const webhooks = Object.fromEntries(eventTypes.map(type => [type, { post: eventCallback(type) }]))
  return {
    openapi: '3.1.1',
    info: {
      title: 'Posthorn',
      version,
      description: about,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(Object.values(routes).map(route => route.tag))].map(name => ({ name })),
    paths,
    webhooks,
    components: {
      schemas: referencedSchemas({ paths, webhooks }, namedJsonSchemas('#/components/schemas/')),
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of an account (`phk_…`) with the scope `read`, `send` or `ingest`.',
        },
        operatorToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The operator token of the installation.',
        },
        sessionCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-posthorn',
          description:
            'Who is signed in to the dashboard. It opens every operation that the credential of the sign-in does. Requests that are no GET need `X-CSRF-Token` besides. (On `http://127.0.0.1` the cookie is `posthorn`.)',
        },
        sessionToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The same for a portal in a frame: its `access_token` (`phs_…`).',
        },
      },
    },
  }
}

function pathsOf(routes: readonly Route[]): JsonSchema {
  const paths: Record<string, JsonSchema> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) }
  }
  return paths
}
