import { judgeForeign } from '../../src/sources/judge-foreign.ts'
import type { Translated } from '../../src/sources/source-report.ts'

/** The outcome of the only report, or why there is none. */
export function outcomeOf(translated: readonly Translated[]): ReturnType<typeof judgeForeign> {
  const [first, ...others] = translated
  if (first === undefined || others.length > 0) throw new Error('expected one report')
  return typeof first.report === 'string' ? first.report : judgeForeign(first.report, arrivedAt)
}

outcomeOf.accountId = '01890a5d-ac96-774b-bcce-b302099a8057'

const arrivedAt = '2026-11-21T04:00:05.000Z'
