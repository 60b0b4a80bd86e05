import { expect, test } from 'vitest'
import { parseShardList } from './shard-list.ts'

test('each shard has a number and a URL', () => {
  expect(parseShardList('0=http://10.0.0.1:4100, 17=https://[2001:db8::1]/')).toEqual([
    { number: 0, url: 'http://10.0.0.1:4100' },
    { number: 17, url: 'https://[2001:db8::1]' },
  ])
})

test.each([
  ['http://a:1', 'must have the form number=URL'],
  ['0=http://a:1,', 'must have the form number=URL'],
  ['0=http://a:1,1000=http://b:1', 'a number from 0 to 999'],
  ['0=ftp://a', 'an http or https URL'],
  ['0=http://a/api', 'without a path'],
  ['0=http://me:hunter2@a', 'without a path or a password'],
  ['0=http://a,1=http://b,01=http://c', 'shard 1 has two URLs'],
  ['0=http://a:80,1=http://A', 'shards 0 and 1 have the same URL http://a'],
  ['1=http://a', 'shard 0 is missing'],
])('%s is refused', (text, reason) => {
  const parse = (): unknown => parseShardList(text)
  expect(parse).toThrow(reason)
  expect(parse).not.toThrow('hunter2')
})
