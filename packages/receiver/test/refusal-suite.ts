import { describe, expect, test } from 'vitest'
import { memoryStore, processOnce } from '../src/dedupe.ts'
import type { AdapterOptions } from '../src/node.ts'
import { at, BODY, signed } from './signed.ts'

type Dedupe = NonNullable<AdapterOptions['dedupe']>

/** Creates a receiver with the adapter under test. Its handler returns the result of `fn`. */
export type Make = (
  options: AdapterOptions,
  fn: () => Response | Promise<Response>,
) => (request: Request) => Response | Promise<Response>

const request = () =>
  new Request('https://receiver.example/hooks', {
    method: 'POST',
    body: BODY,
    headers: { 'x-service-signature': signed() },
  })

/** A custom dedupe function that does not use this package. */
function ownDedupe(): Dedupe {
  const done = new Set<string>()
  return async (id, fn) => {
    if (done.has(id)) return { status: 'duplicate' }
    const value = await fn().catch(cause => {
      throw new Error('rolled back', { cause })
    })
    done.add(id)
    return { status: 'processed', value, recorded: true }
  }
}

function storeDedupe(): Dedupe {
  const store = memoryStore()
  return (id, fn, seen) => processOnce(store, id, fn, seen)
}

/** The tests for adapters with handlers that may return a `Response`. */
export function describeRefusal(name: string, make: Make): void {
  /** A receiver that returns these responses, one per run, and then 204. */
  function receiver(dedupe: Dedupe, ...answers: (Response | Promise<Response>)[]) {
    const errors: unknown[] = []
    const handle = make(
      { ...at(), dedupe, onError: error => errors.push(error) },
      () => answers.shift() ?? new Response(null, { status: 204 }),
    )
    return { post: async () => await handle(request()), errors }
  }

  describe(`${name}: a handler that returns its own response`, () => {
    for (const [kind, dedupe] of [
      ['processOnce', storeDedupe],
      ["a dedupe function of one's own", ownDedupe],
    ] as const) {
      test.each([500, 503, 429, 404, 303])(
        `%i with ${kind} is sent unchanged, and the event can run again`,
        async status => {
          const { post, errors } = receiver(
            dedupe(),
            new Response('busy', { status, headers: { 'retry-after': '7', location: '/elsewhere' } }),
          )
          const answer = await post()
          expect([answer.status, await answer.text()]).toEqual([status, 'busy'])
          expect([answer.headers.get('retry-after'), answer.headers.get('location')]).toEqual([
            '7',
            '/elsewhere',
          ])
          expect(answer.headers.get('x-service-verified')).toBe('v1')
          expect([(await post()).status, (await post()).status]).toEqual([204, 200])
          expect(errors).toEqual([])
        },
      )

      test(`202 with ${kind} is sent unchanged, and the event is done`, async () => {
        const { post } = receiver(dedupe(), new Response('queued', { status: 202 }))
        const answer = await post()
        expect([answer.status, await answer.text()]).toEqual([202, 'queued'])
        expect((await post()).status).toBe(200)
      })
    }

    test('a parallel delivery gets 409 while the handler runs, and after its 503 the event runs again', async () => {
      const gate = Promise.withResolvers<Response>()
      const started = Promise.withResolvers<void>()
      const once = storeDedupe()
      const { post } = receiver(async (id, fn, seen) => {
        started.resolve()
        return await once(id, fn, seen)
      }, gate.promise)
      const first = post()
      await started.promise
      await expect.poll(async () => (await post()).status).toBe(409)
      gate.resolve(new Response(null, { status: 503 }))
      expect((await first).status).toBe(503)
      expect((await post()).status).toBe(204)
    })
  })
}
