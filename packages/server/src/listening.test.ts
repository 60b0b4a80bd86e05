import { expect, test } from 'vitest'
import { listeningUrl } from './listening.ts'

test('the URL of a server is one that opens, also if it listens on all addresses', () => {
  expect(listeningUrl('0.0.0.0', 4100)).toBe('http://localhost:4100')
  expect(listeningUrl('::', 4100)).toBe('http://localhost:4100')
  expect(listeningUrl('::1', 4100)).toBe('http://[::1]:4100')
  expect(listeningUrl('10.0.0.1', 4100)).toBe('http://10.0.0.1:4100')
})
