import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { createHonoHandler } from '../src/hono.ts'
import { describeAdapter } from './adapter-suite.ts'
import { listening } from './listening.ts'
import { describeRefusal } from './refusal-suite.ts'
import { at, BODY, signed } from './signed.ts'

describeAdapter('createHonoHandler', async (options, fn) => {
  const app = new Hono()
  app.all(
    '/hooks',
    createHonoHandler(options, async event => void (await fn(event))),
  )
  const listener = getRequestListener(app.fetch)
  return await listening((request, response) => void listener(request, response))
})

describeRefusal('createHonoHandler', (options, fn) => {
  const app = new Hono()
  app.post('/hooks', createHonoHandler(options, fn))
  return request => app.fetch(request)
})

test('a body already read by a middleware still verifies', async () => {
  const app = new Hono()
  app.use(async (context, next) => {
    await context.req.json()
    await next()
  })
  app.post(
    '/hooks',
    createHonoHandler(at(), () => undefined),
  )
  const answer = await app.request('/hooks', {
    method: 'POST',
    body: BODY,
    headers: { 'x-service-signature': signed() },
  })
  expect(answer.status).toBe(200)
})

test('the handler receives the context, and its response is sent', async () => {
  const app = new Hono()
  app.post(
    '/hooks',
    createHonoHandler(at(), (event, { request }) =>
      Response.json({ id: event.id, path: request.req.raw.url }),
    ),
  )
  const answer = await app.request('/hooks', {
    method: 'POST',
    body: BODY,
    headers: { 'x-service-signature': signed() },
  })
  expect(await answer.json()).toMatchObject({ id: 'evt_1', path: expect.stringMatching(/hooks$/) })
  expect(answer.headers.get('x-service-verified')).toBe('v1')
})
