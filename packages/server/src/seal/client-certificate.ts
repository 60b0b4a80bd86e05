import { createHash } from 'node:crypto'
import type { EndpointIds } from './request-headers.ts'
import type { Seal } from './seal.ts'

/** The private key of an endpoint's client certificate, encrypted for its row. @param privateKey in PEM */
export function sealClientKey(seal: Seal, ids: EndpointIds, privateKey: string): Uint8Array {
  return seal.seal('client_key', ids, Buffer.from(privateKey, 'utf8'))
}

/** An endpoint's client certificate and its decrypted key; null if it has none. */
export function openClientCertificate(
  seal: Seal,
  ids: EndpointIds,
  stored: { readonly client_certificate: string | null; readonly client_key_sealed: Uint8Array | null },
): { id: string; certificate: string; privateKey: string } | null {
  const { client_certificate: certificate, client_key_sealed: sealed } = stored
  if (certificate === null || sealed === null) return null
  const privateKey = Buffer.from(seal.open('client_key', ids, sealed)).toString('utf8')
  const id = createHash('sha256').update(`${certificate}\n${privateKey}`).digest('hex')
  return { id, certificate, privateKey }
}
