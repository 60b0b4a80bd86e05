/** How Posthorn knows an operator. */
export const operatorMethods = ['admin_token', 'token', 'oidc', 'proxy'] as const

export const operatorRoles = ['view', 'change'] as const

/** A person or program that acts as the operator. */
export interface OperatorPerson {
  /** As the audit log shows it. */
  readonly name: string
  readonly method: (typeof operatorMethods)[number]
  readonly role: (typeof operatorRoles)[number]
}

/** The owner of the operator token in the configuration. */
export const adminOperator: OperatorPerson = { name: 'operator', method: 'admin_token', role: 'change' }
