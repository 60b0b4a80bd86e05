import fastify from 'fastify'
import { expect, test } from 'vitest'
import { createFastifyPlugin } from '../src/fastify.ts'
import { describeAdapter } from './adapter-suite.ts'
import { at, BODY, signed } from './signed.ts'

describeAdapter('createFastifyPlugin', async (options, fn) => {
  const app = fastify({ forceCloseConnections: true })
  await app.register(createFastifyPlugin({ ...options, path: '/hooks' }, fn))
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url: `${address}/hooks`, close: () => app.close() }
})

test('other routes keep their JSON parser', async () => {
  const app = fastify()
  await app.register(createFastifyPlugin({ ...at(), path: '/hooks' }, () => undefined))
  app.post('/json', async request => ({ got: request.body }))
  const hook = await app.inject({
    method: 'POST',
    url: '/hooks',
    payload: BODY,
    headers: { 'content-type': 'application/json', 'x-service-signature': signed() },
  })
  const json = await app.inject({ method: 'POST', url: '/json', payload: { a: 1 } })
  expect([hook.statusCode, hook.headers['x-service-verified']]).toEqual([200, 'v1'])
  expect(json.json()).toEqual({ got: { a: 1 } })
})
