import type { JsonSchema } from '../json-schema.ts'

/** The named schemas that `part` refers to, directly or through others. */
export function referencedSchemas(
  part: unknown,
  named: Readonly<Record<string, JsonSchema>>,
): Record<string, JsonSchema> {
  const found: Record<string, JsonSchema> = {}
  const open: unknown[] = [part]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [, name = ''] of JSON.stringify(next).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
      const schema = named[name]
      if (schema === undefined || found[name] !== undefined) continue
      found[name] = schema
      open.push(schema)
    }
  }
  return Object.fromEntries(Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
