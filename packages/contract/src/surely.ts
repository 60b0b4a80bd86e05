import type * as z from 'zod'
import { namesChecked } from './map-of.ts'
import { type Check, checksOf, lengthCheck, numberCheck, textCheck } from './surely-checks.ts'

type Yes = (value: unknown) => boolean

/**
 * Turns a schema into a fast predicate for values that come from JSON and are checked thousands of times per second.
 * If it returns true, the schema accepts the value and returns it unchanged. If it returns false, ask the schema.
 *
 * It supports strict objects, arrays, records, unions, plain values and the checks that the contract uses. For anything
 * else, such as transforms and refinements, it returns false.
 *
 * @example
 * const found = isSurely(item) ? item : schema.parse(item)
 */
export function surely<Schema extends z.ZodType>(
  schema: Schema,
): (value: unknown) => value is z.output<Schema> {
  const yes = yesOf(schema)
  return (value): value is z.output<Schema> => yes(value)
}

const neverSure: Yes = () => false

function yesOf(schema: z.core.$ZodType): Yes {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'string') return both(value => typeof value === 'string', checksOf(def, textCheck))
  if (def.type === 'number') return both(value => Number.isFinite(value), checksOf(def, numberCheck))
  if (def.type === 'boolean') return value => typeof value === 'boolean'
  if (def.type === 'null') return value => value === null
  if (def.type === 'literal') return value => def.values.some(literal => literal === value)
  if (def.type === 'enum') return oneOf(new Set(Object.values(def.entries)))
  if (def.type === 'optional') return orElse(undefined, yesOf(def.innerType))
  if (def.type === 'nullable') return orElse(null, yesOf(def.innerType))
  if (def.type === 'union') return unionYes(def)
  if (def.type === 'array') return arrayYes(def)
  if (def.type === 'object' && hasNoChecks(def)) return objectYes(def)
  if (def.type === 'record' && hasNoChecks(def)) return recordYes(def)
  // the record below also checks the names of a map
  if (def.type === 'pipe' && def.in === namesChecked && hasNoChecks(def)) return yesOf(def.out)
  return neverSure
}

function hasNoChecks({ checks = [] }: { checks?: readonly unknown[] | undefined }): boolean {
  return checks.length === 0
}

/** Checks the type and all checks. The loop avoids allocations on the hot path. */
function both<Value>(isOfType: Yes, checks: ReadonlyArray<Check<Value>> | null): Yes {
  if (checks === null) return neverSure
  return value => {
    if (!isOfType(value)) return false
    for (let n = 0; n < checks.length; n++) if (checks[n]?.(value as Value) !== true) return false
    return true
  }
}

function oneOf(entries: ReadonlySet<unknown>): Yes {
  return value => typeof value === 'string' && entries.has(value)
}

function orElse(other: null | undefined, yes: Yes): Yes {
  return value => value === other || yes(value)
}

function arrayYes(def: z.core.$ZodArrayDef): Yes {
  const element = yesOf(def.element)
  const isRight = both(Array.isArray, checksOf(def, lengthCheck))
  return value => isRight(value) && (value as unknown[]).every(element)
}

/** Supports only strict objects, because others drop unknown fields. */
function objectYes({ shape, catchall }: z.core.$ZodObjectDef): Yes {
  if ((catchall as z.core.$ZodTypes | undefined)?._zod.def.type !== 'never') return neverSure
  const fields = new Map(Object.entries(shape).map(([name, field]) => [name, yesOf(field)]))
  const required = [...fields].filter(([, yes]) => !yes(undefined)).map(([name]) => name)
  return value => {
    if (!isObject(value)) return false
    for (const name in value) if (fields.get(name)?.(value[name]) !== true) return false
    for (const name of required) if (value[name] === undefined) return false
    return true
  }
}

function recordYes({ keyType, valueType }: z.core.$ZodRecordDef): Yes {
  const { def } = (keyType as z.core.$ZodTypes)._zod
  if (def.type !== 'string' || 'check' in def || !hasNoChecks(def)) return neverSure
  const yes = yesOf(valueType)
  return value => {
    if (!isObject(value)) return false
    for (const name in value) if (name === '__proto__' || !yes(value[name])) return false
    return true
  }
}

function unionYes(def: z.core.$ZodUnionDef): Yes {
  const options = def.options.map(yesOf)
  return value => options.some(yes => yes(value))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
