import * as z from 'zod'
import { type JsonSchema, toJsonSchema } from '../json-schema.ts'

/** How the document names this schema: by reference where it has an id, else in place. */
export function schemaReference(schema: z.ZodType): JsonSchema {
  const id = z.globalRegistry.get(schema)?.id
  if (id !== undefined) return { $ref: `#/components/schemas/${id}` }
  const { $schema: _, ...inPlace } = toJsonSchema(schema)
  return inPlace
}
