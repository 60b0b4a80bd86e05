import * as z from 'zod'

export type JsonSchema = Record<string, unknown>

/** The JSON Schema (2020-12) of a zod schema, without references to other documents. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, override })
  return { $schema, ...rest }
}

/** All schemas that have an id, by id. They refer to each other as `${prefix}${id}`. */
export function namedJsonSchemas(prefix: string): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { io, override, uri: id => prefix + id })
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutIdentity(schema)]))
}

/** `input` because requests refuse unknown fields, while responses may gain fields. */
const io = 'input'

/** Removes what only repeats a format or a type, and what code generators cannot read. */
function override({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.format === 'date-time') {
    delete jsonSchema.pattern
    delete jsonSchema.allOf
  }
  // code generators turn a constant that is not a string into code that does not compile
  if (jsonSchema.type === 'boolean') delete jsonSchema.const
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

function withoutIdentity(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema' && name !== '$id'))
}
