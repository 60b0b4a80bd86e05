import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Seal } from './seal.ts'

/** The row of a signing secret. */
export interface SigningKeyIds {
  readonly accountId: string
  readonly endpointId: string
  readonly keyId: string
}

/** Encrypts a full signing secret (`whsec_…`) for the row of its key. */
export function sealSigningSecret(seal: Seal, ids: SigningKeyIds, secret: string): Uint8Array {
  return seal.seal('signing_secret', ids, Buffer.from(secret, 'utf8'))
}

/** Decrypts the HMAC key: the full secret as UTF-8, including the prefix. */
export function openSigningSecret(seal: Seal, ids: SigningKeyIds, sealed: Uint8Array): KeyObject {
  return createSecretKey(seal.open('signing_secret', ids, sealed))
}
