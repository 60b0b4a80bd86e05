import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { errorCodes, eventTypes, openApiDocument, type Route, routes } from '../src/index.ts'

const document = openApiDocument(routes, { version: '1.2.3', serverUrl: 'https://posthorn.example.com' })

test('the document is OpenAPI 3.1 in the eyes of a validator that is not ours', async () => {
  const validator = new Validator()
  const result = await validator.validate(structuredClone(document))
  expect(result).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

test('the validator would notice a fault', async () => {
  const broken = structuredClone(document)
  Object.assign(broken, { paths: { '/x': { get: { responses: { '200': {} } } } } })
  expect(await new Validator().validate(broken)).toMatchObject({ valid: false })
})

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path)
  expect(references.length).toBeGreaterThan(50)
  for (const reference of references) {
    const target = reference?.split('/').reduce<unknown>((node, name) => (node as never)?.[name], document)
    expect(target, reference).toBeTypeOf('object')
  }
})

test('every operation of the table is there with who may call it', () => {
  const paths = document.paths as Record<string, Record<string, { operationId: string; security: object[] }>>
  for (const route of Object.values<Route>(routes)) {
    const found = paths[route.path]?.[route.method.toLowerCase()]
    expect(found?.operationId).toBe(route.operationId)
    expect(found?.security.length === 0).toBe(route.auth === 'public')
  }
})

test('the four events are described as webhooks with their signature header', () => {
  const webhooks = document.webhooks as Record<string, { post: { parameters: { name: string }[] } }>
  expect(Object.keys(webhooks)).toEqual([...eventTypes])
  for (const { post } of Object.values(webhooks))
    expect(post.parameters.map(parameter => parameter.name)).toContain('X-Service-Signature')
})

test('the list of error codes is closed and complete', () => {
  const { schemas } = document.components as { schemas: Record<string, { enum?: string[] }> }
  expect(schemas.ErrorCode?.enum).toEqual(Object.keys(errorCodes))
})
