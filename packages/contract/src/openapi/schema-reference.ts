import * as z from 'zod'
import { type JsonSchema, toJsonSchema } from '../json-schema.ts'

/** A reference if the schema has an id, otherwise the schema itself. */
export function schemaReference(schema: z.ZodType): JsonSchema {
  const id = z.globalRegistry.get(schema)?.id
  if (id !== undefined) return { $ref: `#/components/schemas/${id}` }
  const { $schema: _, ...inPlace } = toJsonSchema(schema)
  return inPlace
}
