import type * as z from 'zod'
import { canonicalTimestamp } from './canonical-timestamp.ts'

/** A check of a value beyond its type. */
export type Check<Value> = (value: Value) => boolean

type CheckDef = z.core.$ZodChecks['_zod']['def']

/** All checks of a schema, or null if one of them is unknown. */
export function checksOf<Value>(
  def: { checks?: ReadonlyArray<z.core.$ZodCheck<never>> | undefined },
  known: (check: CheckDef) => Check<Value> | null,
): Array<Check<Value>> | null {
  const defs = (def.checks ?? []).map(check => check._zod.def as CheckDef)
  if ('check' in def) defs.unshift(def as CheckDef)
  const checks = defs.map(known).filter(check => check !== null)
  return checks.length < defs.length ? null : checks
}

/** For strings and arrays. */
export function lengthCheck(def: CheckDef): Check<{ length: number }> | null {
  if (def.check === 'min_length') return ({ length }) => length >= def.minimum
  if (def.check === 'max_length') return ({ length }) => length <= def.maximum
  return null
}

export function textCheck(def: CheckDef): Check<string> | null {
  if (def.check === 'overwrite' && def.tx === canonicalTimestamp) return isCanonical
  if (def.check !== 'string_format') return lengthCheck(def)
  const { format, pattern } = def
  // the pattern of another format may not cover the whole check
  if (pattern === undefined || pattern.global || !['regex', 'datetime'].includes(format)) return null
  return value => pattern.test(value)
}

/** A timestamp that would be rewritten goes through the schema. */
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
