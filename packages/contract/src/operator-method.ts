/**
 * How Posthorn knows an operator: by the operator token, by a named token, by the OpenID provider, or by the header of a
 * trusted proxy.
 */
export const operatorMethods = ['admin_token', 'token', 'oidc', 'proxy'] as const

export type OperatorMethod = (typeof operatorMethods)[number]
