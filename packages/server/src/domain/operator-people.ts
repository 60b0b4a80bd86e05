import type { OperatorPerson } from './operator-person.ts'

/** The people that a proxy or an OpenID provider may sign in, by role. */
export interface OperatorPeople {
  readonly view: readonly string[]
  readonly change: readonly string[]
}

/** The role of a person; null if they are on no list. */
export function roleOf({ view, change }: OperatorPeople, name: string): OperatorPerson['role'] | null {
  return change.includes(name) ? 'change' : view.includes(name) ? 'view' : null
}

/** Splits names separated by commas. */
export function parseNames(text: string): string[] {
  return text
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
}
