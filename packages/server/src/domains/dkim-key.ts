import { generateKeyPair } from 'node:crypto'
import type { Seal } from '../seal/seal.ts'

/** Where a DKIM key belongs; UUIDs. */
export interface DkimKeyIds {
  readonly accountId: string
  readonly domainId: string
}

/** Creates an RSA key pair with 2048 bits, which every receiver supports and which fits into one DNS record. */
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

/** Runs in Node's thread pool, because it is slow. */
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
