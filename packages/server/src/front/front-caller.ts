import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { accountCode, codeOfCredential } from '../domain/account-code.ts'
import { isOperatorToken } from '../domain/operator-token.ts'
import { operatorId } from '../domain/operator-id.ts'
import { type PresentedCredential, presentedCredential } from '../http/presented-credential.ts'

/** Who sends a request, as far as a front can tell. The shard checks the credential. */
export type FrontCaller =
  /** The operator token, which the front knows. */
  | { readonly kind: 'operator' }
  /** A session or a named token of an operator, which only shard 0 knows. */
  | { readonly kind: 'named_operator'; readonly presented: PresentedCredential }
  /** A key or session that contains this account code. */
  | { readonly kind: 'account'; readonly code: number }
  /** No credential, or none of this service. */
  | { readonly kind: 'nobody' }

/** Creates the function that reads the caller from the headers of a request. */
export function callerReader(
  operatorToken: string,
): (request: Pick<FastifyRequest, 'headers'>) => FrontCaller {
  const operatorDigest = digest(operatorToken)
  return request => {
    const presented = presentedCredential(request)
    if (presented === null) return { kind: 'nobody' }
    if (!presented.isCookie && timingSafeEqual(digest(presented.text), operatorDigest))
      return { kind: 'operator' }
    if (isOperatorToken(presented.text)) return { kind: 'named_operator', presented }
    const code = codeOfCredential(presented.text)
    if (code === null) return { kind: 'nobody' }
    return code === operatorCode ? { kind: 'named_operator', presented } : { kind: 'account', code }
  }
}

const operatorCode = accountCode(operatorId)

function digest(text: string): Uint8Array {
  return hash('sha256', text, 'buffer')
}
