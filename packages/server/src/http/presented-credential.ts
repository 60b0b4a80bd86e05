import type { FastifyRequest } from 'fastify'
import { sessionTokenOf } from './session-cookie.ts'

/** What a request presents to say who sends it. */
export interface PresentedCredential {
  readonly text: string
  /** A session cookie. Otherwise it is in the `Authorization` header. */
  readonly isCookie: boolean
}

/** The credential in the `Authorization` header, or the session cookie if there is no such header; null if there is none. */
export function presentedCredential(request: Pick<FastifyRequest, 'headers'>): PresentedCredential | null {
  const { authorization } = request.headers
  if (authorization === undefined) {
    const token = sessionTokenOf(request)
    return token === undefined ? null : { text: token, isCookie: true }
  }
  const text = bearerCredential(authorization)
  return text === null ? null : { text, isCookie: false }
}

/** The text after `Bearer`, with inner spaces. Node decodes headers as Latin-1, but the credential is UTF-8. */
function bearerCredential(authorization: string): string | null {
  const credential = /^bearer +([^ ].*)$/i.exec(authorization)?.[1]
  if (credential === undefined) return null
  return /[\x80-\xff]/.test(credential) ? Buffer.from(credential, 'latin1').toString() : credential
}
