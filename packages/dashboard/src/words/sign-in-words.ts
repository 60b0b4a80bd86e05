import { ApiProblem } from '../api/problem.ts'
import { problemWords } from './problem-words.ts'

/** Why a text cannot be an API key. Checked in the page, so that another kind of secret is not sent. */
export function misplacedSecretWords(credential: string): string | null {
  if (credential.startsWith('whsec_')) {
    return 'This is the signing secret of an endpoint. An API key begins with phk_.'
  }
  if (/^https?:/.test(credential)) return 'This is an address. An API key begins with phk_.'
  return null
}

/** Why the sign-in failed. The service tells an unknown key from a revoked or expired one. */
export function signInWords(cause: unknown): string {
  if (cause instanceof ApiProblem) {
    if (cause.status === 401) return cause.message
    if (cause.code === 'rate_limited')
      return `Too many attempts. Try again in ${cause.retryAfterSeconds ?? 60} s.`
    if (cause.status === 422) return 'This is neither an API key nor the operator’s token.'
  }
  return problemWords(cause instanceof Error ? cause : new Error(String(cause)))
}
