import fc from 'fast-check'

export type JsonSchema = Readonly<Record<string, unknown>>

/** The depth limit of a value, because schemas can be recursive. */
const depthMax = 6

/** How references are resolved, and whether optional parts are generated. */
export interface ValueOptions {
  named: Readonly<Record<string, JsonSchema>>
  isSparse?: boolean
}

/** Values that a JSON schema (2020-12, as far as the API's document uses it) allows or nearly allows. */
export function valuesOf(schema: JsonSchema, options: ValueOptions, depth = 0): fc.Arbitrary<unknown> {
  const { named, isSparse = false } = options
  const inner = (next: unknown): fc.Arbitrary<unknown> => valuesOf(next as JsonSchema, options, depth + 1)
  const { $ref, anyOf, oneOf, enum: choices, type } = schema
  if (depth > depthMax) return fc.constant(null)
  if (typeof $ref === 'string') return inner(named[$ref.split('/').at(-1) ?? ''] ?? {})
  if ('const' in schema) return fc.constant(schema['const'])
  if (Array.isArray(choices)) return fc.constantFrom(...choices)
  const either = anyOf ?? oneOf
  if (Array.isArray(either)) return fc.oneof(...either.map(inner))
  if (Array.isArray(type)) return fc.oneof(...type.map(one => inner({ ...schema, type: one })))
  switch (type) {
    case 'object':
      return objects(schema, inner, isSparse)
    case 'array':
      return fc.array(inner(schema['items'] ?? {}), {
        minLength: Math.min(number(schema, 'minItems', 0), 4),
        maxLength: Math.min(number(schema, 'maxItems', 4), 4),
      })
    case 'string':
      return strings(schema)
    case 'integer':
      return fc.integer({
        min: Math.max(number(schema, 'minimum', -1_000), -0x80000000),
        max: Math.min(number(schema, 'maximum', 1_000_000), 0x7fffffff),
      })
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function objects(
  schema: JsonSchema,
  inner: (schema: unknown) => fc.Arbitrary<unknown>,
  isSparse: boolean,
): fc.Arbitrary<unknown> {
  const all = (schema['properties'] ?? {}) as Record<string, unknown>
  const required = (schema['required'] ?? []) as string[]
  const properties = isSparse
    ? Object.fromEntries(Object.entries(all).filter(([name]) => required.includes(name)))
    : all
  const named = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inner(one)])),
    { requiredKeys: required.filter(name => name in properties) },
  )
  const { additionalProperties: others } = schema
  if (typeof others !== 'object' || others === null || isSparse) return named
  return fc
    .tuple(named, fc.dictionary(fc.stringMatching(/^[a-z_-]{1,12}$/), inner(others), { maxKeys: 3 }))
    .map(([one, more]) => ({ ...more, ...one }))
}

const dates = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.date({ noInvalidDate: true, min: new Date('2026-01-01'), max: new Date('2028-01-01') }),
  },
  fc.date({ noInvalidDate: true }),
)

const samples: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'date-time': dates.map(date => date.toISOString()),
  date: dates.map(date => date.toISOString().slice(0, 10)),
  uri: fc.oneof(
    fc.webUrl({ validSchemes: ['https'], withQueryParameters: true }),
    fc.constant('https://hooks.example.com/'),
  ),
  base64: fc.base64String(),
}

function strings(schema: JsonSchema): fc.Arbitrary<string> {
  const known = samples[String(schema['format'])]
  if (known !== undefined) return known
  const { pattern } = schema
  if (typeof pattern === 'string') {
    if (pattern.includes('@')) return fc.emailAddress()
    // `stringMatching` does not support these patterns, and printable text is close enough
    return /\\p|\\P/.test(pattern) ? fc.string({ maxLength: 60 }) : fc.stringMatching(new RegExp(pattern))
  }
  const minLength = number(schema, 'minLength', 0)
  return fc.string({
    minLength,
    maxLength: Math.max(minLength, Math.min(number(schema, 'maxLength', 60), 300)),
  })
}

function number(schema: JsonSchema, name: string, otherwise: number): number {
  const value = schema[name]
  return typeof value === 'number' ? value : otherwise
}
