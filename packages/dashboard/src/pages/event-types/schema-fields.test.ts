import { expect, test } from 'vitest'
import { schemaFields } from './schema-fields.ts'

const schema = {
  $ref: '#/$defs/Thing',
  $defs: {
    Thing: {
      type: 'object',
      properties: {
        type: { type: 'string', const: 'email.bounced' },
        data: { $ref: '#/$defs/Data', description: 'What happened.' },
      },
      required: ['type', 'data'],
    },
    Data: {
      type: 'object',
      properties: {
        at: { type: 'string', format: 'date-time', description: 'When.' },
        to: { type: 'array', items: { type: 'string', maxLength: 320 }, minItems: 1, maxItems: 100 },
        tags: { type: 'object', additionalProperties: { type: ['string', 'number', 'null'] } },
        reason: { type: 'string', enum: ['a', 'b'] },
        code: { anyOf: [{ type: 'integer', minimum: 1, maximum: 1_000_000 }, { type: 'null' }] },
        tls: {
          anyOf: [{ type: 'object', properties: { version: { type: 'string' } } }, { type: 'null' }],
        },
      },
      required: ['at', 'to'],
    },
  },
}

test('a schema is listed as fields, each before its nested fields', () => {
  const told = schemaFields(schema).map(
    ({ path, depth, kind, isAlways }) => `${depth} ${path}: ${kind}${isAlways ? '' : ' (if known)'}`,
  )
  expect(told).toEqual([
    '0 type: always "email.bounced"',
    '0 data: object',
    '1 data.at: time',
    '1 data.to: list of text, 1 to 100',
    '1 data.tags: any names, each with text, number or null (if known)',
    '1 data.reason: one of 2 (if known)',
    '1 data.code: whole number, 1 to 1,000,000, or null (if known)',
    '1 data.tls: object, or null (if known)',
    '2 data.tls.version: text (if known)',
  ])
})

test('a field includes its description and its possible values', () => {
  const fields = new Map(schemaFields(schema).map(field => [field.path, field]))
  expect(fields.get('data')?.description).toBe('What happened.')
  expect(fields.get('data.reason')).toMatchObject({ values: ['a', 'b'], description: null })
})
