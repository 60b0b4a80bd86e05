/** What an operator may do. `view`: read everything that operators read. `change`: also change it, and read secrets. */
export const operatorRoles = ['view', 'change'] as const

export type OperatorRole = (typeof operatorRoles)[number]
