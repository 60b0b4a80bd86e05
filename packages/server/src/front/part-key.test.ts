import { expect, test } from 'vitest'
import { partKey } from './part-key.ts'

test('a repeated part has the same key, whatever the order of its accounts', () => {
  expect(partKey('key-1', ['a', 'b', 'a'])).toBe(partKey('key-1', ['b', 'a']))
})

test('another key or another account gives another key, which a shard accepts', () => {
  const keys = [
    partKey('key-1', ['a']),
    partKey('key-2', ['a']),
    partKey('key-1', ['b']),
    partKey('key-1', ['a', 'b']),
  ]
  expect(new Set(keys).size).toBe(keys.length)
  expect(Math.max(...keys.map(key => key.length))).toBeLessThanOrEqual(255)
})
