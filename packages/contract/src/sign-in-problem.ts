/** Why a sign-in by OpenID Connect failed. The redirect to the sign-in page has it as `problem`. */
export const signInProblems = [
  'oidc_unavailable',
  'oidc_expired',
  'oidc_refused',
  'oidc_not_listed',
  'rate_limited',
  'sign_in_failed',
] as const

export type SignInProblem = (typeof signInProblems)[number]
