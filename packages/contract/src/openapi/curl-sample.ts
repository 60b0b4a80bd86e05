import { exampleIds } from '../examples/example-ids.ts'
import type { Example } from '../examples/example.ts'
import type { Auth, Route } from '../route.ts'

/** The example request of an operation as a curl command. */
export function curlSample(route: Route, example: Example, serverUrl: string): string {
  const credential = credentialOf(route.auth)
  const [mediaType = 'application/json'] = route.body?.mediaTypes ?? []
  const parts = [
    `curl ${route.method === 'GET' ? '' : `-X ${route.method} `}${quoted(examplePath(route, example, serverUrl))}`,
    ...(credential === null ? [] : [`-H "Authorization: Bearer $${credential}"`]),
    ...(route.body === undefined
      ? []
      : [`-H ${quoted(`Content-Type: ${mediaType}`)}`, `--data-binary ${quoted(textOf(example.body))}`]),
    ...(route.success.mediaType === 'application/gzip' ? ['-o posthorn-backup.tar.gz'] : []),
  ]
  return parts.join(' \\\n  ')
}

/** The URL of the example request. */
export function examplePath({ path, params }: Route, { query }: Example, serverUrl: string): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const prefix = params?.[name]
    return prefix === undefined ? whole : exampleIds[prefix]
  })
  const search = new URLSearchParams(query).toString().replaceAll('%2C', ',').replaceAll('%3A', ':')
  return `${serverUrl}${filled}${search === '' ? '' : `?${search}`}`
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body, null, 2)
}

/** Quotes text for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** The environment variable that holds the credential. */
function credentialOf(auth: Auth): string | null {
  switch (auth) {
    case 'public':
      return null
    case 'session':
      return 'POSTHORN_SESSION_TOKEN'
    case 'operator':
      return 'POSTHORN_ADMIN_TOKEN'
    case 'operator_or_ingest':
    case 'operator_or_read':
    case 'operator_or_send':
    case 'read':
    case 'send':
    case 'ingest':
    case 'send_and_keys':
      return 'POSTHORN_API_KEY'
  }
}
