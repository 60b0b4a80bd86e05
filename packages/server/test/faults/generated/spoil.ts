import fc from 'fast-check'

/** Values that replace a part of another value. */
const strangers = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0,
    0.5,
    1e308,
    2 ** 53,
    '',
    '\u0000',
    '\ud800',
    'a\nb',
    '__proto__',
    '🦜'.repeat(200),
    'x'.repeat(5_000),
    [],
    {},
    [[[[[[[[]]]]]]]],
    { __proto__: null, constructor: 1 },
  ),
  fc.jsonValue({ maxDepth: 2 }),
)

/** The value with up to three parts replaced, removed or added. */
export function spoiled(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const change = fc.record({
    place: fc.nat(),
    how: fc.constantFrom('replace', 'remove', 'add'),
    with: strangers,
  })
  return fc
    .tuple(values, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) => changes.reduce<unknown>(changed, structuredClone(value)))
}

interface Change {
  place: number
  how: string
  with: unknown
}

function changed(value: unknown, { place, how, with: shared }: Change): unknown {
  // a copy, because it may be inserted into itself
  const stranger: unknown = structuredClone(shared)
  const places = placesIn(value)
  const chosen = places[place % (places.length + 1)]
  if (chosen === undefined) return how === 'replace' ? stranger : value
  const { holder, key } = chosen
  if (how === 'remove') Reflect.deleteProperty(holder, key)
  else Reflect.set(holder, how === 'add' ? `${key}x` : key, stranger)
  return value
}

function placesIn(value: unknown): Array<{ holder: object; key: string }> {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [{ holder: value, key }, ...placesIn(inner)])
}
