import { expect, test } from 'vitest'
import { endpointName } from './endpoint-name.ts'

const url = 'https://crm.acme.test/hooks/mail?token=1'

test('an endpoint is called by its description', () => {
  expect(endpointName({ description: ' CRM \n production', url })).toBe('CRM production')
})

test('an endpoint without a description is called by host and path, without a query that may be secret', () => {
  expect(endpointName({ description: ' ', url })).toBe('crm.acme.test/hooks/mail')
  expect(endpointName({ description: '', url: 'https://crm.acme.test/' })).toBe('crm.acme.test')
  expect(endpointName({ description: '', url: 'no url at all' })).toBe('no url at all')
})

test('a long name is cut between words or, if it is one word, between characters', () => {
  const words = endpointName({ description: 'warehouse '.repeat(9), url })
  expect(words).toBe(`${'warehouse '.repeat(7)}…`.replace(' …', '…'))
  const name = endpointName({ description: '🐎'.repeat(300), url })
  expect(name).toBe(`${'🐎'.repeat(79)}…`)
})

test('a name does not reorder the sentence around it', () => {
  expect(endpointName({ description: '\u202edrawkcab\u2066', url })).toBe('drawkcab')
})
