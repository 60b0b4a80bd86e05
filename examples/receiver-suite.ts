import { sampleEvent, signedRequest } from '@posthorn/receiver/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Where a started example listens, how to stop it, and which events it has processed. */
export interface StartedExample {
  /** Sends a request to the example, over HTTP wherever it has a server. */
  send(request: Request): Promise<Response>
  readonly processed: readonly string[]
  stop?(): Promise<void>
}

const SECRET = 'whsec_example_0123456789abcdef0123456789abcdef0123'

/** What every example shows: a good, a forged, a stale and a duplicated delivery. */
export function describeExample(name: string, start: (secret: string) => Promise<StartedExample>): void {
  describe(`the ${name} example`, () => {
    let example: StartedExample
    beforeAll(async () => {
      example = await start(SECRET)
    })
    afterAll(() => example.stop?.())

    const url = 'http://receiver.example/hooks'
    const statusOf = async (request: Request) => (await example.send(request)).status

    test('a good delivery is processed and proven', async () => {
      const event = sampleEvent('email.bounced')
      const answer = await example.send(await signedRequest(event, { secret: SECRET, url }))
      expect([answer.status, answer.headers.get('x-service-verified')]).toEqual([200, 'v1'])
      expect(example.processed).toContain(event.id)
    })

    test('a forged delivery is refused', async () => {
      const event = sampleEvent('email.bounced')
      const secret = 'whsec_forged_0123456789abcdef0123456789abcdef01234'
      expect(await statusOf(await signedRequest(event, { secret, url }))).toBe(401)
      expect(example.processed).not.toContain(event.id)
    })

    test('a stale delivery is refused', async () => {
      const event = sampleEvent('email.bounced')
      const timestamp = Math.floor(Date.now() / 1000) - 600
      expect(await statusOf(await signedRequest(event, { secret: SECRET, url, timestamp }))).toBe(401)
      expect(example.processed).not.toContain(event.id)
    })

    test('a duplicated delivery is processed once', async () => {
      const event = sampleEvent('email.unsubscribed')
      const deliver = async () => await statusOf(await signedRequest(event, { secret: SECRET, url }))
      expect([await deliver(), await deliver()]).toEqual([200, 200])
      expect(example.processed.filter(id => id === event.id)).toEqual([event.id])
    })
  })
}
