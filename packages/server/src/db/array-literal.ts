/**
 * Array parameters as PostgreSQL's text form, built in one pass: the driver's own conversion looks at every element's
 * type and escapes what needs no escaping, which costs more than the statement it is for.
 */

/** Elements that hold no comma, brace, quote, backslash, space or NULL: ids, numbers, enumerations, hex. */
export function plainArray(values: Iterable<string | number | bigint>): string {
  let text = '{'
  for (const value of values) text += text.length === 1 ? value : `,${value}`
  return `${text}}`
}

/** Like `plainArray`, with null for what is missing. */
export function nullableArray(values: Iterable<string | number | null>): string {
  let text = '{'
  for (const value of values) text += `${text.length === 1 ? '' : ','}${value ?? 'NULL'}`
  return `${text}}`
}

/** Any text, and null. */
export function textArray(values: Iterable<string | null>): string {
  let text = '{'
  for (const value of values)
    text += `${text.length === 1 ? '' : ','}${value === null ? 'NULL' : quoted(value)}`
  return `${text}}`
}

function quoted(value: string): string {
  return /["\\]/.test(value) ? `"${value.replace(/["\\]/g, String.raw`\$&`)}"` : `"${value}"`
}
