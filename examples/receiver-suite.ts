import { sampleEvent, signedRequest } from '@posthorn/receiver/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StartedExample, StartExample } from './served.ts'

const SECRET = 'whsec_example_0123456789abcdef0123456789abcdef0123'

/** Tests an example over HTTP with a good, a forged, a stale and a duplicate delivery. */
export function describeExample(name: string, start: StartExample, paths: readonly string[] = ['/hooks']) {
  describe(`the ${name} example`, () => {
    const processed: string[] = []
    let example: StartedExample | undefined
    beforeAll(async () => {
      example = await start({ secret: SECRET, port: 0, onProcessed: id => processed.push(id) })
    })
    afterAll(() => example?.stop())

    describe.each(paths)('on %s', path => {
      const deliver = async (event: { id: string; type: string }, secret = SECRET, secondsAgo = 0) => {
        const timestamp = Math.floor(Date.now() / 1000) - secondsAgo
        return await fetch(await signedRequest(event, { secret, url: `${example?.url}${path}`, timestamp }))
      }

      test('a good delivery is processed and proven', async () => {
        const event = sampleEvent('email.bounced')
        const answer = await deliver(event)
        expect([answer.status, answer.headers.get('x-service-verified')]).toEqual([200, 'v1'])
        expect(processed).toContain(event.id)
      })

      test('a forged delivery is refused', async () => {
        const event = sampleEvent('email.bounced')
        const answer = await deliver(event, 'whsec_forged_0123456789abcdef0123456789abcdef01234')
        expect([answer.status, await answer.text()]).toEqual([401, 'invalid signature\n'])
        expect(processed).not.toContain(event.id)
      })

      test('a stale delivery is refused', async () => {
        const event = sampleEvent('email.bounced')
        expect((await deliver(event, SECRET, 600)).status).toBe(401)
        expect(processed).not.toContain(event.id)
      })

      test('a duplicated delivery is processed once', async () => {
        const event = sampleEvent('email.unsubscribed')
        expect([(await deliver(event)).status, (await deliver(event)).status]).toEqual([200, 200])
        expect(processed.filter(id => id === event.id)).toEqual([event.id])
      })
    })
  })
}
