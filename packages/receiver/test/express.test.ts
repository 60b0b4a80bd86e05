import express from 'express'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { memoryStore, processOnce } from '../src/dedupe.ts'
import type { WebhookEvent } from '../src/events.ts'
import { createExpressHandler } from '../src/express.ts'
import { describeAdapter } from './adapter-suite.ts'
import { listening } from './listening.ts'
import { at, BODY, signed } from './signed.ts'

// The types of version 5 are close enough to those of version 4 for this test.
const require = createRequire(import.meta.url)
const express4: typeof express = require('express-4')

for (const [version, framework] of [
  ['Express 5', express],
  ['Express 4', express4],
] as const) {
  describeAdapter(version, async (options, fn) => {
    const app = framework()
    app.all('/hooks', createExpressHandler(options, fn))
    return await listening(app)
  })

  test.each([
    [503, [503, 204, 200]],
    [303, [303, 204, 200]],
    [202, [202, 200, 200]],
  ])(
    `${version}: a handler’s own status %i is sent, and decides whether the event runs again`,
    async (status, statuses) => {
      const store = memoryStore()
      const answers = [status, 204]
      const app = framework()
      app.all(
        '/hooks',
        createExpressHandler<WebhookEvent, express.Request>(
          { ...at(), dedupe: (id, fn, seen) => processOnce(store, id, fn, seen) },
          (_event, { request }) => request.res?.status(answers.shift() ?? 500).end(),
        ),
      )
      const running = await listening(app)
      const headers = { 'x-service-signature': signed() }
      const post = async () =>
        (await fetch(running.url, { method: 'POST', body: BODY, headers, redirect: 'manual' })).status
      expect([await post(), await post(), await post()]).toEqual(statuses)
      await running.close()
    },
  )

  describe(`${version} with body parsers`, () => {
    /** Posts a good request to an app with `before` mounted first. */
    async function posted(before: express.RequestHandler, type = 'application/json') {
      const codes: unknown[] = []
      const app = framework()
      app.use(before)
      const onError = (error: unknown) => codes.push((error as { code: string }).code)
      app.all(
        '/hooks',
        createExpressHandler({ ...at(), onError }, () => undefined),
      )
      const running = await listening(app)
      const headers = { 'content-type': type, 'x-service-signature': signed() }
      const { status } = await fetch(running.url, { method: 'POST', body: BODY, headers })
      await running.close()
      return { status, codes }
    }

    test('A5 json() mounted first causes 500, and the error says why', async () => {
      expect(await posted(framework.json())).toEqual({ status: 500, codes: ['body_already_parsed'] })
    })

    test('json() that keeps the raw bytes does no harm', async () => {
      const keep = framework.json({
        verify: (request, _response, bytes) => void Object.assign(request, { rawBody: bytes }),
      })
      expect(await posted(keep)).toEqual({ status: 200, codes: [] })
    })

    test('a body that json() skips because of its content type still verifies', async () => {
      expect(await posted(framework.json(), 'text/plain')).toEqual({ status: 200, codes: [] })
    })

    test('raw() and text() mounted first do no harm', async () => {
      expect(await posted(framework.raw({ type: '*/*' }))).toEqual({ status: 200, codes: [] })
      expect(await posted(framework.text({ type: '*/*' }))).toEqual({ status: 200, codes: [] })
    })
  })
}
