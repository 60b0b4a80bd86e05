import { expect, test } from 'vitest'
import { checkRequestHeaders } from './request-headers.ts'

test.each([
  { authorization: 'Bearer abc' },
  { 'X-Api-Key': 'k', 'x-tenant': '' },
  { accept: 'application/json', 'x-note': 'a'.repeat(1024) },
  Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`x-${index}`, 'v'])),
])('%j may be set', headers => {
  expect(checkRequestHeaders(headers)).toBeNull()
})

test.each([
  'host',
  'Content-Length',
  'content-type',
  'Transfer-Encoding',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'Proxy-Authorization',
  'proxy-connection',
  'X-Forwarded-For',
  'forwarded',
  'via',
  'cookie',
  'X-Service-Signature',
  'x-service-anything',
  'user-agent',
  'accept-encoding',
  'Metadata-Flavor',
  'X-aws-ec2-metadata-token',
])('%s may not be set', name => {
  expect(checkRequestHeaders({ [name]: '1' })).toContain('cannot be set')
})

test.each([
  [{ '': 'v' }, 'header name'],
  [{ 'a b': 'v' }, 'header name'],
  [{ 'a:': 'v' }, 'header name'],
  [{ 'a\r\nb': 'v' }, 'header name'],
  [{ ä: 'v' }, 'header name'],
  [{ ['x'.repeat(129)]: 'v' }, 'header name'],
  [{ a: 'v\r\nhost: evil' }, 'printable ASCII'],
  [{ a: 'v\0' }, 'printable ASCII'],
  [{ a: '\t' }, 'printable ASCII'],
  [{ a: 'é' }, 'printable ASCII'],
  [{ a: 'v'.repeat(1025) }, 'at most 1024'],
  [{ a: ' v' }, 'begin or end'],
  [{ a: '1', A: '2' }, 'named twice'],
  [Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`x-${index}`, 'v'])), 'At most 20'],
])('%j is refused with a reason', (headers, reason) => {
  expect(checkRequestHeaders(headers)).toContain(reason)
})
