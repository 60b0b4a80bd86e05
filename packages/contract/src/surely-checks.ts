import type * as z from 'zod'
import { canonicalTimestamp } from './canonical-timestamp.ts'

/** What a schema checks of a value besides its type. */
export type Check<Value> = (value: Value) => boolean

type CheckDef = z.core.$ZodChecks['_zod']['def']

/** The checks of a schema, those that are part of its type and those that were added; null when one is not known. */
export function checksOf<Value>(
  def: { checks?: ReadonlyArray<z.core.$ZodCheck<never>> | undefined },
  known: (check: CheckDef) => Check<Value> | null,
): Array<Check<Value>> | null {
  const defs = (def.checks ?? []).map(check => check._zod.def as CheckDef)
  if ('check' in def) defs.unshift(def as CheckDef)
  const checks = defs.map(known).filter(check => check !== null)
  return checks.length < defs.length ? null : checks
}

/** Of texts and arrays. */
export function lengthCheck(def: CheckDef): Check<{ length: number }> | null {
  if (def.check === 'min_length') return ({ length }) => length >= def.minimum
  if (def.check === 'max_length') return ({ length }) => length <= def.maximum
  return null
}

export function textCheck(def: CheckDef): Check<string> | null {
  if (def.check === 'overwrite' && def.tx === canonicalTimestamp) return isCanonical
  if (def.check !== 'string_format') return lengthCheck(def)
  const { format, pattern } = def
  // of other formats the pattern need not say all
  if (pattern === undefined || pattern.global || !['regex', 'datetime'].includes(format)) return null
  return value => pattern.test(value)
}

/** What is rewritten is left to the schema. */
function isCanonical(text: string): boolean {
  return canonicalTimestamp(text) === text
}

export function numberCheck(def: CheckDef): Check<number> | null {
  if (def.check === 'number_format' && def.format === 'safeint') return Number.isSafeInteger
  if (def.check === 'greater_than') {
    return value => (def.inclusive ? value >= Number(def.value) : value > Number(def.value))
  }
  if (def.check === 'less_than') {
    return value => (def.inclusive ? value <= Number(def.value) : value < Number(def.value))
  }
  return null
}
