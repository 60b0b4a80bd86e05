import { openApiDocument, routes } from '@posthorn/contract'
import { packageVersion } from '../packages/server/src/version.ts'

/** The OpenAPI document of a service at the default address. */
export function printOpenApi(): string {
  const document = openApiDocument(routes, { version: packageVersion(), serverUrl: 'http://127.0.0.1:4100' })
  return `${JSON.stringify(document, null, 2)}\n`
}
