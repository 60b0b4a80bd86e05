import { checkRequestHeader, foldHeaderName } from '../domain/request-headers.ts'
import { AppError } from '../errors.ts'
import { hiddenValue } from './row.ts'

const countMax = 20

/** Changes by header name, with any case and with `_` like `-`: a value sets, null removes, `***` keeps. */
export type HeaderChanges = Readonly<Record<string, string | null>>

/** Refuses changes that are wrong for any endpoint, before anything is read. */
export function checkHeaderChanges(changes: HeaderChanges, headerPrefix: string): void {
  const seen = new Set<string>()
  for (const [name, value] of Object.entries(changes)) {
    const folded = foldHeaderName(name)
    if (seen.has(folded)) throw refuse(`The header ${name} appears twice. \`_\` and \`-\` count as the same.`)
    seen.add(folded)
    const reason = value === null ? null : checkRequestHeader(name, value, headerPrefix)
    if (reason !== null) throw refuse(reason)
  }
}

/** Applies changes that were already checked. A header that is set again gets the new spelling. */
export function mergeHeaders(
  before: ReadonlyMap<string, string>,
  changes: HeaderChanges,
): Map<string, string> {
  const after = new Map(before)
  for (const [name, value] of Object.entries(changes)) {
    const known = [...after.keys()].find(one => foldHeaderName(one) === foldHeaderName(name))
    if (value === hiddenValue) {
      if (known === undefined)
        throw refuse(`The endpoint has no header ${name} whose value Posthorn could keep. Send its value.`)
      continue
    }
    if (known !== undefined) after.delete(known)
    if (value !== null) after.set(name, value)
  }
  if (after.size > countMax)
    throw refuse(`An endpoint can have at most ${countMax} headers. Remove some with null.`)
  return after
}

function refuse(reason: string): AppError {
  return new AppError('validation_failed', reason, [{ path: '/headers', message: reason }])
}
