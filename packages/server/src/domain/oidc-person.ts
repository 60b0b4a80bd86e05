import { type OperatorPeople, roleOf } from './operator-people.ts'
import type { OperatorPerson } from './operator-person.ts'

/**
 * The operator in the claims of an OpenID provider; null if they name nobody on the lists. An email address that the
 * provider has not verified names nobody, because its user may have typed any address.
 *
 * @param claim the claim with the name
 */
export function oidcPerson(
  claims: Readonly<Record<string, unknown>>,
  { claim, people }: { claim: string; people: OperatorPeople },
): OperatorPerson | null {
  const name = claims[claim]
  if (typeof name !== 'string') return null
  if (claim === 'email' && ['false', false].includes(claims['email_verified'] as string | boolean))
    return null
  const role = roleOf(people, name)
  return role === null ? null : { name, method: 'oidc', role }
}
