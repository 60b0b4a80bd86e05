import type { Report } from './command.ts'
import { table } from './table.ts'

/** The result of one check. */
export interface Check {
  readonly name: string
  /** `note`: fine for now, but worth knowing. */
  readonly state: 'ok' | 'note' | 'broken'
  readonly found: string
  /** What to do; absent if there is nothing to do. */
  readonly advice?: string
}

/** All checks, one per line, and a summary. The command fails if a check is broken. */
export function checksReport(checks: readonly Check[], whenFine: string): Report {
  const broken = checks.filter(({ state }) => state === 'broken')
  const rows = checks.map(({ name, state, found, advice }) => [
    state,
    name,
    advice === undefined ? found : `${found}. ${advice}`,
  ])
  const names = broken.map(({ name }) => name.toLowerCase()).join(', ')
  return {
    exitCode: broken.length > 0 ? 1 : 0,
    json: { ok: broken.length === 0, checks },
    text: [table(rows), broken.length > 0 ? `Needs attention: ${names}.` : whenFine].join('\n'),
  }
}
