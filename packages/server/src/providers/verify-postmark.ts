import { hash, timingSafeEqual } from 'node:crypto'
import { AppError } from '../errors.ts'
import type { ProviderRequest } from './provider.ts'

/**
 * Postmark signs nothing. It sends the user and password that its webhook's URL contains.
 *
 * @param credential `user:password`
 * @returns the event
 */
export async function verifyPostmark(request: ProviderRequest, credential: string): Promise<unknown> {
  const [, base64 = ''] = /^Basic +([\w+/=-]+)$/i.exec(request.header('authorization')) ?? []
  // digests have the same length, so the comparison does not depend on the length of the credential
  if (!timingSafeEqual(digest(Buffer.from(base64, 'base64')), digest(Buffer.from(credential)))) {
    throw new AppError(
      'unauthorized',
      'The user or password is missing or wrong. The URL at Postmark must contain those of the source.',
    )
  }
  return await Promise.resolve(request.json())
}

function digest(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer')
}
