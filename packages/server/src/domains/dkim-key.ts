import { generateKeyPair } from 'node:crypto'
import type { Seal } from '../seal/seal.ts'

/** Where a DKIM key belongs; UUIDs. */
export interface DkimKeyIds {
  readonly accountId: string
  readonly domainId: string
}

/** A new key pair: RSA with 2048 bits, which every receiver knows and one DNS record can hold. */
export async function newDkimKey(
  seal: Seal,
  ids: DkimKeyIds,
): Promise<{ publicKey: string; privateKeySealed: Uint8Array }> {
  const { publicKey, privateKey } = await generate()
  return {
    publicKey: publicKey.toString('base64'),
    privateKeySealed: seal.seal('dkim_key', ids, Buffer.from(privateKey)),
  }
}

/** The private key as PEM. */
export function openDkimKey(seal: Seal, ids: DkimKeyIds, sealed: Uint8Array): string {
  return Buffer.from(seal.open('dkim_key', ids, sealed)).toString('utf8')
}

/** In a thread of Node's pool: it takes a tenth of a second. */
async function generate(): Promise<{ publicKey: Buffer; privateKey: string }> {
  const made = Promise.withResolvers<{ publicKey: Buffer; privateKey: string }>()
  generateKeyPair(
    'rsa',
    {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'der' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    },
    (error, publicKey, privateKey) => {
      if (error === null) made.resolve({ publicKey, privateKey })
      else made.reject(error)
    },
  )
  return await made.promise
}
