import * as z from 'zod'

export type JsonSchema = Record<string, unknown>

/** The JSON Schema (2020-12) of what is sent or read, complete in itself. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, override })
  return { $schema, ...rest }
}

/** The schemas of everything that has an id, by it, referring to one another as `${prefix}${id}`. */
export function namedJsonSchemas(prefix: string): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { io, override, uri: id => prefix + id })
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutIdentity(schema)]))
}

/** `input`: requests are strict and say so, answers may gain fields and forbid none. */
const io = 'input'

/** Takes out what only says how a check is written, because readers know a date-time and a safe integer, and what generators cannot read. */
function override({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.format === 'date-time') {
    delete jsonSchema.pattern
    delete jsonSchema.allOf
  }
  // a constant that is no text becomes code that does not compile in generated clients
  if (jsonSchema.type === 'boolean') delete jsonSchema.const
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

function withoutIdentity(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema' && name !== '$id'))
}
