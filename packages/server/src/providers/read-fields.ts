/** A field of a parsed JSON object; undefined if the value is no object or lacks the field. */
export function fieldIn(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}

/** A text in a parsed JSON object, or a number as text; empty if there is none. */
export function textIn(value: unknown, name: string): string {
  const field = fieldIn(value, name)
  return typeof field === 'string' ? field : typeof field === 'number' ? String(field) : ''
}

/** A list in a parsed JSON object; empty if there is none. */
export function listIn(value: unknown, name: string): readonly unknown[] {
  const field = fieldIn(value, name)
  return Array.isArray(field) ? field : []
}
