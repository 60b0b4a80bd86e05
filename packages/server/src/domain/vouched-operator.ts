import { operatorMethods, type OperatorPerson, operatorRoles } from './operator-person.ts'

/** The header in which a front tells a shard which operator sends a request. The front's signature covers it. */
export const operatorHeader = 'x-posthorn-operator'

/**
 * The value of the header.
 * @example
 * writeOperator({ method: 'token', role: 'view', name: 'ann@example.com' }) // 'token;view;ann%40example.com'
 */
export function writeOperator({ method, role, name }: OperatorPerson): string {
  return `${method};${role};${encodeURIComponent(name)}`
}

/** The operator in a header that a front has signed; null if it names none. */
export function readOperator(header: string | string[] | undefined): OperatorPerson | null {
  const [method, role, name] = String(header ?? '').split(';')
  const knownMethod = operatorMethods.find(one => one === method)
  const knownRole = operatorRoles.find(one => one === role)
  if (knownMethod === undefined || knownRole === undefined || name === undefined) return null
  return { method: knownMethod, role: knownRole, name: decodeURIComponent(name) }
}
