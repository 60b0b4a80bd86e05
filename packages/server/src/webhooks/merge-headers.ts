import { checkRequestHeader, foldHeaderName } from '../domain/request-headers.ts'
import { AppError } from '../errors.ts'
import { hiddenValue } from './row.ts'

const countMax = 20

/** Changes by name, whatever its case and its marks: a value sets, null removes, `***` keeps. */
export type HeaderChanges = Readonly<Record<string, string | null>>

/** Refuses changes that no set of headers could take, before anything is read. */
export function checkHeaderChanges(changes: HeaderChanges): void {
  const seen = new Set<string>()
  for (const [name, value] of Object.entries(changes)) {
    const folded = foldHeaderName(name)
    if (seen.has(folded)) throw refuse(`The header ${name} occurs twice; \`_\` and \`-\` count as the same.`)
    seen.add(folded)
    const reason = value === null ? null : checkRequestHeader(name, value)
    if (reason !== null) throw refuse(reason)
  }
}

/** The headers after `changes`, which were checked before. A header that is set again takes the new spelling. */
export function mergeHeaders(
  before: ReadonlyMap<string, string>,
  changes: HeaderChanges,
): Map<string, string> {
  const after = new Map(before)
  for (const [name, value] of Object.entries(changes)) {
    const known = [...after.keys()].find(one => foldHeaderName(one) === foldHeaderName(name))
    if (value === hiddenValue) {
      if (known === undefined)
        throw refuse(`There is no header ${name} whose value could be kept; name its value.`)
      continue
    }
    if (known !== undefined) after.delete(known)
    if (value !== null) after.set(name, value)
  }
  if (after.size > countMax) throw refuse(`At most ${countMax} headers can be set; remove some with null.`)
  return after
}

function refuse(reason: string): AppError {
  return new AppError('validation_failed', reason, [{ path: '/headers', message: reason }])
}
