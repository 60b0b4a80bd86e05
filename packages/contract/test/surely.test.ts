import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { decidedOutcome, eventTypes, sampleEvent, surely } from '../src/index.ts'

const isSurelyDecided = surely(decidedOutcome)

test('typical reports are recognised as valid without running the schema', () => {
  const { data } = sampleEvent('email.delivered')
  expect(isSurelyDecided({ type: 'email.delivered', data })).toBe(true)
  expect(isSurelyDecided({ type: 'email.delivered', data: { email_id: 'a1', to: ['a@b.c'] } })).toBe(true)
})

test('if surely returns true, the schema accepts the value and leaves it unchanged', () => {
  let yeses = 0
  fc.assert(
    fc.property(fc.constantFrom(...eventTypes), fc.array(change(), { maxLength: 3 }), (type, changes) => {
      const changed = copy({ type, data: sampleEvent(type).data })
      for (const one of changes) one(changed)
      const item = copy(changed)
      if (!isSurelyDecided(item)) return
      yeses++
      expect(decidedOutcome.safeParse(item)).toEqual({ success: true, data: item })
    }),
    { numRuns: 3_000 },
  )
  expect(yeses).toBeGreaterThan(100)
})

test.each<[string, z.ZodType, unknown]>([
  ['a transform', z.string().trim(), 'a'],
  ['a refinement', z.string().refine(text => text === 'a'), 'a'],
  ['a refinement of an object', z.strictObject({ a: z.string() }).refine(() => true), { a: 'a' }],
  ['a default', z.string().default('b'), 'a'],
  ['an object that drops unknown names', z.object({ a: z.string() }), { a: 'a' }],
  ['a format', z.email(), 'a@example.org'],
  ['a record of some names', z.record(z.string().max(1), z.string()), { a: 'a' }],
])('%s is never called certainly valid', (_name, schema, value) => {
  expect(schema.safeParse(value).success).toBe(true)
  expect(surely(schema)(value)).toBe(false)
})

test.each<[string, object, boolean]>([
  ['the least', { smtp_response: { code: 200, message: 'x' }, attempts: 1 }, true],
  ['less than the least reply code', { smtp_response: { code: 199, message: 'x' } }, false],
  ['less than one attempt', { attempts: 0 }, false],
  ['the most', { smtp_response: { code: 599, message: 'x'.repeat(1_024) }, attempts: 1_000_000 }, true],
  ['more than the greatest reply code', { smtp_response: { code: 600, message: 'x' } }, false],
  ['a longer message', { smtp_response: { message: 'x'.repeat(1_025) } }, false],
  ['half an attempt', { attempts: 1.5 }, false],
])('numbers and lengths are certainly valid within their limits: %s', (_name, more, expected) => {
  const item = { type: 'email.delivered', data: { email_id: 'a1', to: ['a@b.c'], ...more } }
  expect(decidedOutcome.safeParse(item).success).toBe(expected)
  expect(isSurelyDecided(item)).toBe(expected)
})

test('a value with a member named __proto__ is left to the schema', () => {
  const item: unknown = JSON.parse(
    '{"type":"email.delivered","data":{"email_id":"a1","to":["a@b.c"],"metadata":{"__proto__":1}}}',
  )
  expect(isSurelyDecided(item)).toBe(false)
})

type Json = Record<string, unknown>

function copy(item: Json): Json {
  return JSON.parse(JSON.stringify(item)) as Json
}

/** One character longer than some limits allow. */
const tooLong = [46, 65, 129, 256, 999, 1_025].map(length => 'x'.repeat(length))

/** Removes, replaces or adds a random member. */
function change(): fc.Arbitrary<(item: Json) => void> {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('', 'a@b.c', ...tooLong, 250, 0, -1, 1.5, '\0', '\u{1F600}'),
  )
  return fc
    .tuple(fc.nat(), fc.nat(), fc.constantFrom('remove', 'replace', 'add'), fc.string(), value)
    .map(([where, which, what, name, to]) => item => {
      const objects = objectsIn(item)
      const object = objects[where % objects.length] ?? item
      const names = Object.keys(object)
      const old = names[which % Math.max(names.length, 1)] ?? 'email_id'
      const member = what === 'add' ? name : old
      // the length of a list is not a member
      if (Array.isArray(object) && member === 'length') return
      if (what === 'remove') delete object[old]
      else Object.defineProperty(object, member, { value: to, ...ordinary })
    })
}

/** Defines a member like JSON.parse does, even `__proto__`. */
const ordinary = { enumerable: true, configurable: true, writable: true }

function objectsIn(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return []
  return [value as Json, ...Object.values(value).flatMap(objectsIn)]
}
