import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { createLambdaHandler, type LambdaRequest } from '../src/lambda.ts'
import { describeAdapter } from './adapter-suite.ts'
import { listening } from './listening.ts'
import { at, BODY, signed } from './signed.ts'

/** A gateway that turns HTTP requests into Lambda events, with the body in base64 as for binary media types. */
describeAdapter('createLambdaHandler', async (options, fn) => {
  const handle = createLambdaHandler(options, fn)
  return await listening((request, response) => {
    const answer = async () => {
      const { statusCode, headers, body } = await handle({
        httpMethod: request.method,
        multiValueHeaders: request.headersDistinct,
        body: (await buffer(request)).toString('base64'),
        isBase64Encoded: true,
      })
      response.writeHead(statusCode, headers).end(body)
    }
    answer().catch(() => response.destroy())
  })
})

describe('Lambda events', () => {
  const handle = createLambdaHandler({ ...at(), onError: () => undefined }, () => undefined)
  const good: LambdaRequest = { httpMethod: 'POST', headers: { 'X-Service-Signature': signed() }, body: BODY }
  const { httpMethod: _method, ...rest } = good

  test.each([
    ['REST API, body as text', good, 200],
    ['HTTP API and function URL', { ...rest, requestContext: { http: { method: 'POST' } } }, 200],
    ['base64', { ...good, body: Buffer.from(BODY).toString('base64'), isBase64Encoded: true }, 200],
    [
      'load balancer',
      { ...rest, httpMethod: 'POST', multiValueHeaders: { 'x-service-signature': [signed()] } },
      200,
    ],
    ['base64 that is none', { ...good, body: '***', isBase64Encoded: true }, 400],
    ['no body', { ...good, body: null }, 401],
    ['no headers', { httpMethod: 'POST', headers: null, body: BODY }, 401],
    [
      'H20 a line break in the header',
      { ...good, headers: { 'x-service-signature': `${signed()}\r\n` } },
      401,
    ],
    [
      'the header twice',
      { ...good, multiValueHeaders: { 'x-service-signature': [signed(), signed()] } },
      401,
    ],
    [
      'some headers as lists beside all of them',
      { ...good, multiValueHeaders: { 'content-type': ['application/json'], accept: undefined, via: [] } },
      200,
    ],
    ['an empty list beside the header', { ...good, multiValueHeaders: { 'x-service-signature': [] } }, 200],
    [
      'another case beside the header twice',
      {
        ...good,
        headers: { 'X-SERVICE-SIGNATURE': signed() },
        multiValueHeaders: { 'x-service-signature': [signed(), signed()] },
      },
      401,
    ],
    ['GET', { ...good, httpMethod: 'GET' }, 405],
    ['an event that is no request', {}, 405],
  ] as [string, LambdaRequest, number][])('%s', async (_name, request, status) => {
    expect((await handle(request)).statusCode).toBe(status)
  })

  test.each([
    ['an object', JSON.parse(BODY)],
    ['a list', [1]],
    ['an object marked as base64', JSON.parse(BODY), true],
  ])('a body that middleware has parsed is explained: %s', async (_name, body, isBase64Encoded = false) => {
    const errors: unknown[] = []
    const reporting = createLambdaHandler({ ...at(), onError: error => errors.push(error) }, () => undefined)
    expect((await reporting({ ...good, body, isBase64Encoded })).statusCode).toBe(500)
    expect(errors).toMatchObject([{ code: 'body_already_parsed' }])
  })

  test('a body given as bytes instead of text is accepted', async () => {
    const bytes = Buffer.from(BODY) as unknown as string
    expect((await handle({ ...good, body: bytes })).statusCode).toBe(200)
  })

  test('a load balancer that sends header lists gets header lists back', async () => {
    const { headers: _headers, ...lists } = good
    const multiValueHeaders = { 'x-service-signature': [signed()] }
    expect(await handle({ ...lists, multiValueHeaders })).toMatchObject({
      statusCode: 200,
      multiValueHeaders: { 'content-type': ['text/plain'], 'x-service-verified': ['v1'] },
    })
  })

  test('the response has the shape that Lambda expects', async () => {
    expect(await handle(good)).toEqual({
      statusCode: 200,
      headers: { 'content-type': 'text/plain', 'x-service-verified': 'v1' },
      body: 'ok\n',
      isBase64Encoded: false,
    })
  })
})
