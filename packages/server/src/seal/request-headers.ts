import type { Seal } from './seal.ts'

/** The endpoint of a set of extra request headers. */
export interface EndpointIds {
  readonly accountId: string
  readonly endpointId: string
}

/** Encrypts the extra request headers of an endpoint; null if there are none. */
export function sealRequestHeaders(
  seal: Seal,
  ids: EndpointIds,
  headers: ReadonlyMap<string, string>,
): Uint8Array | null {
  if (headers.size === 0) return null
  return seal.seal('request_headers', ids, Buffer.from(JSON.stringify([...headers]), 'utf8'))
}

/** Decrypts the extra request headers of an endpoint, with names and order as the customer set them. */
export function openRequestHeaders(
  seal: Seal,
  ids: EndpointIds,
  sealed: Uint8Array | null,
): Map<string, string> {
  if (sealed === null) return new Map()
  const opened = Buffer.from(seal.open('request_headers', ids, sealed)).toString('utf8')
  // the authentication tag proves that sealRequestHeaders wrote this
  return new Map(JSON.parse(opened) as [string, string][])
}
