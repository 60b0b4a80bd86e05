import { eventJsonSchema, eventTypes } from '@posthorn/contract'
import { expect, test } from 'vitest'
import { schemaFields } from '../src/pages/event-types/schema-fields.ts'

test.each(eventTypes)('the catalogue describes every top-level and data field of %s', type => {
  const fields = schemaFields(eventJsonSchema(type))
  expect(fields.map(field => field.path)).toContain('data.email_id')
  const unsaid = fields.filter(
    ({ depth, kind, values, description }) =>
      depth < 2 && description === null && values.length === 0 && !kind.startsWith('always '),
  )
  expect(unsaid).toEqual([])
  expect(fields.filter(field => field.kind.includes('anything'))).toEqual([])
})
