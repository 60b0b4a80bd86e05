import { expect, test } from 'vitest'
import * as z from 'zod'
import { plainMessage, type Route, routes } from '../src/index.ts'

const tagged = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('a') }),
  z.strictObject({ type: z.literal('b') }),
])

test.each<[string, z.ZodType, unknown, string]>([
  ['nothing', z.strictObject({ a: z.string() }), {}, 'is required'],
  ['another type', z.string(), 5, 'must be a string'],
  ['a fraction', z.int(), 1.5, 'must be a whole number'],
  ['no yes or no', z.boolean(), 'yes', 'must be true or false'],
  [
    'an infinite number',
    z.number(),
    Infinity,
    'does not fit exactly into a double (IEEE 754). Send it as a string',
  ],
  ['an empty array', z.array(z.string()).min(1), [], 'must have at least 1 element'],
  ['too many elements', z.array(z.string()).max(2), ['a', 'b', 'c'], 'must have at most 2 elements'],
  ['another number of elements', z.array(z.string()).length(1), [], 'must have exactly 1 element'],
  ['an empty text', z.string().min(1), '', 'must have at least 1 character'],
  ['a long text', z.string().max(3), 'long', 'must have at most 3 characters'],
  ['too little', z.int().min(1), 0, 'must be at least 1'],
  ['too much', z.int().max(9), 10, 'must be at most 9'],
  ['another word', z.enum(['a', 'b', 'c']), 'd', 'must be "a", "b" or "c"'],
  ['another constant', z.literal(true), false, 'must be true'],
  ['another tag', tagged, { type: 'c' }, 'must be "a" or "b"'],
  ['no tag', tagged, {}, 'must be "a" or "b"'],
  [
    'none of several types',
    z.union([z.string(), z.number(), z.null()]),
    [],
    'must be a string, a number or null',
  ],
  ['an unknown field', z.strictObject({}), { a: 1 }, 'is not a known field'],
  ['what is not base64', z.base64(), '*', 'must be base64 with padding (RFC 4648, section 4)'],
  ['what a schema says itself', z.string().regex(/^a$/, 'must be the letter a'), 'b', 'must be the letter a'],
])('explains %s in plain words', (_, schema, value, message) => {
  const { error } = schema.safeParse(value, { error: plainMessage })
  expect(error?.issues.map(issue => issue.message)).toEqual([message])
})

/** Values that nearly every schema rejects. */
const wrong = [
  undefined,
  null,
  'x',
  '',
  -1,
  1.5,
  [],
  [null],
  {},
  { type: 'x' },
  { type: 'email.delivered', data: {} },
  'x'.repeat(70_000),
]

test('no request schema reports errors in programming terms', () => {
  const schemas = Object.values<Route>(routes).flatMap(({ body, query }) => [body?.schema, query])
  for (const schema of schemas.filter(one => one !== undefined)) {
    const fields = schema.def.type === 'object' ? Object.keys((schema as z.ZodObject).shape) : []
    const values = [...wrong, ...wrong.map(value => Object.fromEntries(fields.map(field => [field, value])))]
    for (const value of values) {
      for (const { message } of schema.safeParse(value, { error: plainMessage }).error?.issues ?? []) {
        expect(message).toMatch(/^(?:must|is|has|may|does|belongs|cannot) /)
        expect(message).not.toMatch(/expected|received|[<>]=|Invalid|undefined|pattern/)
      }
    }
  }
})
