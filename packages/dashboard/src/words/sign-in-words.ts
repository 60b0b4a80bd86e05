import { ApiProblem } from '../api/problem.ts'
import { problemWords } from './problem-words.ts'

/** What is against a credential before anybody is asked: a secret of another kind should not travel. */
export function misplacedSecretWords(credential: string): string | null {
  if (credential.startsWith('whsec_')) {
    return 'This is the signing secret of an endpoint. An API key begins with phk_.'
  }
  if (/^https?:/.test(credential)) return 'This is an address. An API key begins with phk_.'
  return null
}

/** Why nobody was let in. The service tells a wrong key from one that was revoked or has expired. */
export function signInWords(cause: unknown): string {
  if (cause instanceof ApiProblem) {
    if (cause.status === 401) return cause.message
    if (cause.code === 'rate_limited')
      return `Too many attempts. Again in ${cause.retryAfterSeconds ?? 60} s.`
    if (cause.status === 422) return 'This is no API key and no operator’s token.'
  }
  return problemWords(cause instanceof Error ? cause : new Error(String(cause)))
}
