import type { SignInProblem } from '@posthorn/contract'
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

/** Why a sign-in with an OpenID provider failed. */
export const signInProblemWords: Readonly<Record<SignInProblem, string>> = {
  oidc_unavailable: 'The sign-in provider does not answer. Try again later, or sign in with a token.',
  oidc_expired: 'This sign-in took too long or began in another window. Start it again.',
  oidc_refused: 'The sign-in provider refused the sign-in, or its answer was not valid. Try again.',
  oidc_not_listed: 'You have no access to this server. Ask its operator to add you.',
  rate_limited: 'Too many attempts. Try again in a minute.',
  sign_in_failed: 'Posthorn could not sign you in. Try again.',
}
