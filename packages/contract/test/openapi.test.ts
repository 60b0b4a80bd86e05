import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { errorCodes, defaultEventTypes, openApiDocument, type Route, routes } from '../src/index.ts'

const document = openApiDocument(routes, { version: '1.2.3', serverUrl: 'https://posthorn.example.com' })

test('an independent validator accepts the document as OpenAPI 3.1', async () => {
  const validator = new Validator()
  const result = await validator.validate(structuredClone(document))
  expect(result).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

test('the validator rejects a broken document', async () => {
  const broken = structuredClone(document)
  Object.assign(broken, { paths: { '/x': { get: { responses: { '200': {} } } } } })
  expect(await new Validator().validate(broken)).toMatchObject({ valid: false })
})

test('every reference resolves', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path)
  expect(references.length).toBeGreaterThan(50)
  for (const reference of references) {
    const target = reference?.split('/').reduce<unknown>((node, name) => (node as never)?.[name], document)
    expect(target, reference).toBeTypeOf('object')
  }
})

test('the document has every operation of the table and says whether it needs a credential', () => {
  const paths = document.paths as Record<string, Record<string, { operationId: string; security: object[] }>>
  for (const route of Object.values<Route>(routes)) {
    const found = paths[route.path]?.[route.method.toLowerCase()]
    expect(found?.operationId).toBe(route.operationId)
    expect(found?.security.length === 0).toBe(route.auth === 'public')
  }
})

test('the four events are described as webhooks with their signature header', () => {
  const webhooks = document.webhooks as Record<string, { post: { parameters: { name: string }[] } }>
  expect(Object.keys(webhooks)).toEqual([...defaultEventTypes])
  for (const { post } of Object.values(webhooks))
    expect(post.parameters.map(parameter => parameter.name)).toContain('X-Service-Signature')
})

test('the document lists exactly the known error codes', () => {
  const { schemas } = document.components as { schemas: Record<string, { enum?: string[] }> }
  expect(schemas.ErrorCode?.enum).toEqual(Object.keys(errorCodes))
})
