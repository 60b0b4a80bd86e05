import { formatCount } from '../../format/numbers.ts'

/** A field of a body, as the table shows it. */
export interface SchemaField {
  /** `data.bounce.category`. */
  readonly path: string
  readonly name: string
  /** Its depth; the body's own fields have 0. */
  readonly depth: number
  /** Its type in words: `text`, `whole number, 200 to 599, or null`. */
  readonly kind: string
  /** Its possible values; empty if they are not listed. */
  readonly values: readonly string[]
  /** Whether every body has it. */
  readonly isAlways: boolean
  readonly description: string | null
}

type Schema = Readonly<Record<string, unknown>>

/** The fields of a JSON Schema, each before its nested fields. */
export function schemaFields(root: Schema): SchemaField[] {
  return fieldsWithin(resolve(root, root), root, '', 0)
}

function fieldsWithin(object: Schema, root: Schema, prefix: string, depth: number): SchemaField[] {
  const required = Array.isArray(object['required']) ? object['required'] : []
  return Object.entries(asSchema(object['properties'])).flatMap(([name, given]) => {
    const schema = resolve(asSchema(given), root)
    const { inner, isNullable } = withoutNull(schema, root)
    const path = `${prefix}${name}`
    const field: SchemaField = {
      path,
      name,
      depth,
      kind: kindOf(inner, root) + (isNullable ? ', or null' : ''),
      values: texts(inner['enum']),
      isAlways: required.includes(name),
      description: text(asSchema(given)['description']) ?? text(schema['description']),
    }
    return [field, ...fieldsWithin(inner, root, `${path}.`, depth + 1)]
  })
}

function kindOf(schema: Schema, root: Schema): string {
  if (schema['const'] !== undefined) return `always ${JSON.stringify(schema['const'])}`
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].length}`
  const { type } = schema
  if (Array.isArray(type)) return oneOf(texts(type).map(plainKind))
  switch (type) {
    case 'string':
      return `${schema['format'] === 'date-time' ? 'time' : 'text'}${upTo(schema['maxLength'], ' characters')}`
    case 'array':
      return `list of ${plainKind(text(resolve(asSchema(schema['items']), root)['type']) ?? '')}${between(schema['minItems'], schema['maxItems'])}`
    case 'object':
      return schema['additionalProperties'] === undefined
        ? 'object'
        : `any names, each with ${kindOf(resolve(asSchema(schema['additionalProperties']), root), root)}`
    default:
      return plainKind(text(type) ?? '') + between(schema['minimum'], schema['maximum'])
  }
}

function oneOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

function plainKind(type: string): string {
  const words: Readonly<Record<string, string>> = {
    string: 'text',
    integer: 'whole number',
    number: 'number',
    boolean: 'true or false',
    null: 'null',
  }
  return words[type] ?? 'anything'
}

function upTo(max: unknown, unit: string): string {
  return typeof max === 'number' ? `, at most ${formatCount(max)}${unit}` : ''
}

function between(min: unknown, max: unknown): string {
  if (typeof min !== 'number' || typeof max !== 'number') return ''
  return min === max ? `, exactly ${min}` : `, ${formatCount(min)} to ${formatCount(max)}`
}

/** Resolves a reference within the same document. */
function resolve(schema: Schema, root: Schema): Schema {
  const reference = text(schema['$ref'])
  if (reference === null) return schema
  const found = reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<Schema>((at, name) => asSchema(at[name]), root)
  return resolve(found, root)
}

/** A choice between a schema and null is the schema, with null allowed. */
function withoutNull(schema: Schema, root: Schema): { inner: Schema; isNullable: boolean } {
  const choices = Array.isArray(schema['anyOf']) ? schema['anyOf'].map(asSchema) : []
  const others = choices.filter(choice => choice['type'] !== 'null')
  const [only] = others
  return only !== undefined && others.length === 1 && choices.length === 2
    ? { inner: resolve(only, root), isNullable: true }
    : { inner: schema, isNullable: false }
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {}
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(one => typeof one === 'string') : []
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
