import { expect, test } from 'vitest'
import { senderName } from './sender-name.ts'

test.each([
  ['Acme News <news@acme.example>', 'Acme News'],
  ['"Acme, Berlin" <news@acme.example>', 'Acme, Berlin'],
  ['"Acme \\"News\\"" <news@acme.example>', 'Acme "News"'],
  ['<news@acme.example>', 'news@acme.example'],
  ['"" <news@acme.example>', 'news@acme.example'],
  ['news@acme.example', 'news@acme.example'],
])('%s is called %s', (from, name) => {
  expect(senderName(from)).toBe(name)
})
