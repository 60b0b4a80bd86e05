import { expect, test } from 'vitest'
import { parseShardDatabases } from './shard-databases.ts'

test('reads shards, also with several hosts in a URL', () => {
  expect(parseShardDatabases('0=postgres://u:p@a:5432,b:5432/db,1=postgresql://c/db')).toEqual([
    { number: 0, url: 'postgres://u:p@a:5432,b:5432/db' },
    { number: 1, url: 'postgresql://c/db' },
  ])
})

test.each([
  ['1=postgres://a/db', 'shard 0 is missing'],
  ['0=postgres://a/db,0=postgres://b/db', 'named twice'],
  ['0=http://a', 'write 0=postgres://'],
  ['postgres://u:secret@a/db', 'write 0=postgres://'],
])('refuses %s without showing it', (text, reason) => {
  const parse = (): unknown => parseShardDatabases(text)
  expect(parse).toThrow(reason)
  expect(parse).not.toThrow('secret')
})
