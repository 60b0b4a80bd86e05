import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Seal } from './seal.ts'

/** Where a signing secret belongs. */
export interface SigningKeyIds {
  readonly accountId: string
  readonly endpointId: string
  readonly keyId: string
}

/** Seals a whole signing secret (`whsec_…`) for the row of its key. */
export function sealSigningSecret(seal: Seal, ids: SigningKeyIds, secret: string): Uint8Array {
  return seal.seal('signing_secret', ids, Buffer.from(secret, 'utf8'))
}

/** The key of the HMAC: the whole secret string as UTF-8, prefix included. */
export function openSigningSecret(seal: Seal, ids: SigningKeyIds, sealed: Uint8Array): KeyObject {
  return createSecretKey(seal.open('signing_secret', ids, sealed))
}
