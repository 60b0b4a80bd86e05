import { request as httpRequest } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { type DedupeStore, memoryStore, processOnce } from '../src/dedupe.ts'
import type { AdapterOptions } from '../src/node.ts'
import { BODY, NOW, OTHER_SECRET, SECRET, signed } from './signed.ts'

/** A receiver on a real socket with the adapter under test. */
export interface Running {
  readonly url: string
  close(): Promise<void>
}

/** Starts a receiver with the handler `fn`. */
export type Start = (options: AdapterOptions, fn: (event: { id: string }) => unknown) => Promise<Running>

const headers = (signature: string) => ({
  'content-type': 'application/json',
  'x-service-signature': signature,
})

const once =
  (store: DedupeStore): NonNullable<AdapterOptions['dedupe']> =>
  (id, fn, seen) =>
    processOnce(store, id, fn, seen)

/** The tests that every adapter must pass, over HTTP on loopback. */
export function describeAdapter(name: string, start: Start): void {
  const running: Running[] = []
  afterEach(async () => {
    await Promise.all(running.splice(0).map(one => one.close()))
  })

  /** A receiver that records the arguments of its handler and the codes of reported errors. */
  async function receiver(
    options: Partial<AdapterOptions> = {},
    fn: (id: string) => unknown = () => undefined,
  ) {
    const seen: string[] = []
    const codes: unknown[] = []
    const onError = (error: unknown) => codes.push((error as { code?: string }).code ?? 'handler')
    const one = await start({ secrets: SECRET, now: () => NOW * 1000, onError, ...options }, async event => {
      seen.push(event.id)
      await fn(event.id)
    })
    running.push(one)
    const post = (body: BodyInit = BODY, signature = signed(), more: Record<string, string> = {}) =>
      fetch(one.url, {
        method: 'POST',
        body,
        headers: { ...headers(signature), ...more },
        duplex: 'half',
      } as RequestInit)
    return { url: one.url, seen, codes, post }
  }

  describe(name, () => {
    test('a valid request runs the handler, and the response proves the verification', async () => {
      const { post, seen } = await receiver()
      const answer = await post()
      expect([answer.status, answer.headers.get('x-service-verified')]).toEqual([200, 'v1'])
      expect(seen).toEqual(['evt_1'])
    })

    test('during a rotation the response proves both signatures', async () => {
      const { post } = await receiver({ secrets: [OTHER_SECRET, SECRET] })
      const both = `${signed()},${signed(BODY, NOW, OTHER_SECRET).replace(/^.*v1=/, 'v1s=')}`
      expect((await post(BODY, both)).headers.get('x-service-verified')).toBe('v1,v1s')
    })

    test('a receiver of X-Acme-Signature answers with X-Acme-Verified', async () => {
      const { post } = await receiver({ headerName: 'X-Acme-Signature' })
      const { headers } = await post(BODY, '', { 'x-acme-signature': signed() })
      expect([headers.get('x-acme-verified'), headers.get('x-service-verified')]).toEqual(['v1', null])
    })

    test.each([
      ['forged', signed('another'), 'signature_mismatch'],
      ['stale', signed(BODY, NOW - 301), 'timestamp_too_old'],
      ['unsigned', '', 'header_missing'],
    ])('%s gets 401 and nothing else', async (_name, signature, code) => {
      const { post, seen, codes } = await receiver()
      const answer = await post(BODY, signature)
      expect([answer.status, await answer.text()]).toEqual([401, 'invalid signature\n'])
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
      expect(answer.headers.get('x-service-verified')).toBeNull()
      expect([seen, codes]).toEqual([[], [code]])
    })

    test('D1 D6 an event delivered again byte for byte runs once and gets 200 each time', async () => {
      const { post, seen } = await receiver({ dedupe: once(memoryStore()) })
      expect([(await post()).status, (await post()).status]).toEqual([200, 200])
      expect(seen).toEqual(['evt_1'])
    })

    test('D5 the same id with a different signed body runs once, gets 200 and causes a warning', async () => {
      const { post, seen, codes } = await receiver({ dedupe: once(memoryStore()) })
      const other = BODY.replace('{', '{"more":true,')
      expect([(await post()).status, (await post(other, signed(other))).status]).toEqual([200, 200])
      expect([seen, codes]).toEqual([['evt_1'], ['event_changed']])
    })

    test('D2 of two simultaneous deliveries one runs, and the other gets 409 with Retry-After', async () => {
      const gate = Promise.withResolvers<void>()
      const started = Promise.withResolvers<void>()
      const { post, seen } = await receiver({ dedupe: once(memoryStore()) }, async () => {
        started.resolve()
        await gate.promise
      })
      const first = post()
      await started.promise
      const second = await post()
      expect([second.status, second.headers.get('retry-after')]).toEqual([409, '5'])
      gate.resolve()
      expect((await first).status).toBe(200)
      expect(seen).toEqual(['evt_1'])
    })

    test('D4 an unavailable store gives 503, and nothing is processed', async () => {
      const away = () => Promise.reject(new Error('connection refused'))
      const { post, seen, codes } = await receiver({
        dedupe: once({ claim: away, complete: away, release: away }),
      })
      expect((await post()).status).toBe(503)
      expect([seen, codes]).toEqual([[], ['store_unavailable']])
    })

    test('A7 a handler that throws gives 500, and the next delivery runs it again', async () => {
      let fails = true
      const { post, seen, codes } = await receiver({ dedupe: once(memoryStore()) }, () => {
        if (fails) throw new Error('secret detail')
      })
      const answer = await post()
      expect([answer.status, await answer.text()]).toEqual([500, 'not processed\n'])
      fails = false
      expect((await post()).status).toBe(200)
      expect([seen, codes]).toEqual([['evt_1', 'evt_1'], ['handler']])
    })

    test('A1 another method gets 405', async () => {
      const { url } = await receiver()
      const answer = await fetch(url)
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    })

    test.each(['text/plain', 'application/octet-stream', 'application/x-www-form-urlencoded', 'x'])(
      'A2 a signed request with content type %s is accepted',
      async type => {
        const { post } = await receiver()
        expect((await post(BODY, signed(), { 'content-type': type })).status).toBe(200)
      },
    )

    test('A2 a request without a content type is accepted', async () => {
      const { url } = await receiver()
      const body = new TextEncoder().encode(BODY)
      const answer = await fetch(url, { method: 'POST', body, headers: { 'x-service-signature': signed() } })
      expect(answer.status).toBe(200)
    })

    test('A3 a chunked body without a length is accepted', async () => {
      const { post } = await receiver()
      expect((await post(new Blob([BODY]).stream())).status).toBe(200)
    })

    test('A4 a sender that disconnects mid-body runs no handler, and the next request succeeds', async () => {
      const { url, post, seen } = await receiver()
      const half = httpRequest(url, {
        method: 'POST',
        headers: { ...headers(signed()), 'content-length': '99' },
      })
      const gone = new Promise(resolve => half.on('error', resolve).on('close', resolve))
      half.write(BODY.slice(0, 9), () => half.destroy())
      await gone
      expect((await post()).status).toBe(200)
      expect(seen).toEqual(['evt_1'])
    })

    test('A6 a repeated signature header gets 401', async () => {
      const { url, seen } = await receiver()
      const status = await new Promise(resolve => {
        const twice = httpRequest(
          url,
          { method: 'POST', headers: { 'x-service-signature': [signed(), signed()] } },
          response => resolve(response.resume().statusCode),
        )
        twice.end(BODY)
      })
      expect([status, seen]).toEqual([401, []])
    })

    test('B8 a body that is not text is verified byte for byte', async () => {
      const { post } = await receiver()
      const bytes = new Uint8Array([0x22, 0xff, 0x22])
      expect((await post(bytes, signed(bytes))).status).toBe(400)
      expect((await post(new Uint8Array([0x22, 0xfe, 0x22]), signed(bytes))).status).toBe(401)
    })

    test('B9 an empty body gets 400 if signed and 401 if unsigned', async () => {
      const { post } = await receiver()
      expect((await post('', signed(''))).status).toBe(400)
      expect((await post('', ''))?.status).toBe(401)
    })

    test('B14 a body over the limit gets 413', async () => {
      const { post, codes } = await receiver({ maxBodyBytes: 1000 })
      const large = 'x'.repeat(1001)
      expect((await post(large, signed(large))).status).toBe(413)
      expect((await post(new Blob([large]).stream(), signed(large))).status).toBe(413)
      expect(codes).toEqual(['payload_too_large', 'payload_too_large'])
    })

    test('a body of 900 kB is accepted', async () => {
      const { post, seen } = await receiver()
      const large = JSON.stringify({ id: 'evt_large', type: 'x', data: { text: 'ü'.repeat(450_000) } })
      expect((await post(large, signed(large))).status).toBe(200)
      expect(seen).toEqual(['evt_large'])
    })

    test('a configuration error prevents startup', async () => {
      await expect(receiver({ secrets: '' })).rejects.toMatchObject({ code: 'secret_empty' })
    })
  })
}
