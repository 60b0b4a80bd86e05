import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indentJson, jsonTokens } from './json-tokens.ts'

test('JSON is formatted with an indentation of two spaces', () => {
  const tokens = jsonTokens('{"id":"evt_1","to":["a@b.c"],"none":{},"n":1.50}') ?? []
  expect(joined(indentJson(tokens))).toBe(
    '{\n  "id": "evt_1",\n  "to": [\n    "a@b.c"\n  ],\n  "none": {},\n  "n": 1.50\n}',
  )
  expect(tokens.filter(({ kind }) => kind === 'key').map(({ text }) => text)).toEqual([
    '"id"',
    '"to"',
    '"none"',
    '"n"',
  ])
})

test('numbers keep every digit, and strings every escape', () => {
  const body = String.raw`{"n":12345678901234567890.10,"s":"\u202e\"{,}\\"}`
  expect(joined(indentJson(jsonTokens(body) ?? [])).replaceAll(/\n\s*|(?<=:) /g, '')).toBe(body)
})

test('text that is not a JSON object or array has no tokens', () => {
  for (const text of ['', '<html>', '{"cut', 'null', '12', '{"a":1} more'])
    expect(jsonTokens(text)).toBeNull()
})

test('the tokens of any JSON join to its text, and formatting keeps its meaning', () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 0, max: 3 }), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), null, indent)
      const tokens = jsonTokens(text)
      if (tokens === null) return
      expect(joined(tokens)).toBe(text)
      expect(joined(indentJson(tokens))).toBe(JSON.stringify(JSON.parse(text), null, 2))
    }),
  )
})

function joined(tokens: readonly { text: string }[]): string {
  return tokens.map(({ text }) => text).join('')
}
