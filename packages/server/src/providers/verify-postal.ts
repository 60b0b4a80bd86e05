import { verify } from 'node:crypto'
import type { ProviderRequest } from './provider.ts'
import { readPublicKey } from './public-key.ts'
import { wrongSignature } from './signature-error.ts'

/**
 * Postal signs the body with RSA. Before version 3, it sends only a signature with SHA-1; if there is one with SHA-256, only
 * that counts.
 *
 * @param publicKey of the Postal installation
 * @returns the event
 */
export async function verifyPostal(request: ProviderRequest, publicKey: string): Promise<unknown> {
  const key = readPublicKey(publicKey, 'rsa')
  const modern = request.header('x-postal-signature-256')
  const signature = Buffer.from(modern || request.header('x-postal-signature'), 'base64')
  if (key === null || !verify(modern === '' ? 'sha1' : 'sha256', request.body, key, signature)) {
    throw wrongSignature('Check the public key of the source.')
  }
  return await Promise.resolve(request.json())
}
