import type { SignInProblem } from '@posthorn/contract'
import type { OperatorPeople } from '../domain/operator-people.ts'
import type { OperatorPerson } from '../domain/operator-person.ts'

/** The OpenID provider with which operators sign in. */
export interface Oidc {
  /** Its host, for people. */
  readonly host: string
  /** Who may sign in. */
  readonly people: OperatorPeople
  /**
   * The page of the provider where a person signs in.
   * @throws OidcFailure
   */
  begin(redirectUri: string, secrets: OidcSecrets): Promise<URL>
  /**
   * The person who comes back from there; null if they are on no list.
   * @param callback the redirect URI with the query that the provider added
   * @throws OidcFailure
   */
  finish(callback: URL, secrets: OidcSecrets): Promise<OperatorPerson | null>
}

/** What connects the beginning of a sign-in with its end. */
export interface OidcSecrets {
  /** Shows that the same browser began it. */
  readonly state: string
  /** Shows that the provider's answer belongs to it. */
  readonly nonce: string
  /** Shows that the same Posthorn began it (PKCE). */
  readonly verifier: string
}

/** Why a person could not sign in. */
export class OidcFailure extends Error {
  override readonly name = 'OidcFailure'
  readonly problem: SignInProblem

  constructor(problem: SignInProblem, cause?: unknown) {
    super(cause instanceof Error ? cause.message : problem, { cause })
    this.problem = problem
  }
}
