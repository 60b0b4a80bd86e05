import type { Seal } from './seal.ts'

/** Where a set of extra request headers belongs. */
export interface EndpointIds {
  readonly accountId: string
  readonly endpointId: string
}

/** Seals the extra request headers of an endpoint; null when there are none. */
export function sealRequestHeaders(
  seal: Seal,
  ids: EndpointIds,
  headers: ReadonlyMap<string, string>,
): Uint8Array | null {
  if (headers.size === 0) return null
  return seal.seal('request_headers', ids, Buffer.from(JSON.stringify([...headers]), 'utf8'))
}

/** The extra request headers of an endpoint, names as the customer spelled them, in their order. */
export function openRequestHeaders(
  seal: Seal,
  ids: EndpointIds,
  sealed: Uint8Array | null,
): Map<string, string> {
  if (sealed === null) return new Map()
  const opened = Buffer.from(seal.open('request_headers', ids, sealed)).toString('utf8')
  // what opens here was written by sealRequestHeaders: its tag says so
  return new Map(JSON.parse(opened) as [string, string][])
}
