import type { z } from 'zod'

export interface Setting {
  readonly field: string
  /** Parses the text of the environment variable. Accepts undefined if it is not set. */
  readonly schema: z.ZodType
  /** The default, for people. */
  readonly unset: string
  readonly meaning: string
  /** The value is never shown. */
  readonly secret?: boolean
}

type Facts = Pick<Setting, 'meaning' | 'secret'>
type FromText = z.ZodType<unknown, string>

/** A setting with the value null if it is not set. */
export function optional<const F extends string, S extends FromText>(
  field: F,
  schema: S,
  unset: string,
  facts: Facts,
) {
  return { field, schema: schema.nullable().default(null), unset, ...facts }
}

/** A setting with a default, written as in the environment. */
export function setting<const F extends string, S extends FromText>(
  field: F,
  schema: S,
  text: string,
  facts: Facts,
) {
  return { field, schema: schema.prefault(text as z.input<S>), unset: text || 'empty', ...facts }
}
