import { describe, expect, test } from 'vitest'
import { createVerifier, WebhookUsageError, WebhookVerificationError } from '../src/index.ts'
import { describeRefusal } from './refusal-suite.ts'
import { at, BODY, NOW, OTHER_SECRET, SECRET, signed } from './signed.ts'

/** A handler that records its arguments and reported errors. */
function receiver(options: Partial<Parameters<typeof createVerifier>[0]> = {}) {
  const seen: string[] = []
  const errors: unknown[] = []
  const verifier = createVerifier({ ...at(), ...options })
  const handle = verifier.toHandler(event => void seen.push(event.id), {
    onError: error => errors.push(error),
  })
  return { verifier, handle, seen, errors }
}

function request(init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {}): Request {
  return new Request('https://receiver.example/hooks', {
    method: 'POST',
    body: BODY,
    ...init,
    headers: { 'x-service-signature': signed(), 'content-type': 'application/json', ...init.headers },
  })
}

describeRefusal('toHandler', (options, fn) => createVerifier(options).toHandler(fn, options))

describe('toHandler', () => {
  test('runs the handler and proves which signature it accepted', async () => {
    const { handle, seen } = receiver()
    const answer = await handle(request())
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-service-verified')).toBe('v1')
    expect(seen).toEqual(['evt_1'])
  })

  test('proves both signatures during a rotation, in header order', async () => {
    const { handle } = receiver({ secrets: [OTHER_SECRET, SECRET] })
    const staged = signed(BODY, NOW, OTHER_SECRET).replace(/^.*v1=/, 'v1s=')
    const answer = await handle(request({ headers: { 'x-service-signature': `${signed()},${staged}` } }))
    expect(answer.headers.get('x-service-verified')).toBe('v1,v1s')
  })

  test.each([
    ['forged', { 'x-service-signature': signed('another body') }, 'signature_mismatch'],
    ['unsigned', { 'x-service-signature': '' }, 'header_missing'],
    ['stale', { 'x-service-signature': signed(BODY, NOW - 301) }, 'timestamp_too_old'],
    ['A6 with two headers', { 'x-service-signature': `${signed()}, ${signed()}` }, 'header_malformed'],
  ])('%s always gets the same 401, and the handler does not run', async (_name, headers, code) => {
    const { handle, seen, errors } = receiver()
    const answer = await handle(request({ headers }))
    expect(answer.status).toBe(401)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(answer.headers.has('x-service-verified')).toBe(false)
    expect(await answer.text()).toBe('invalid signature\n')
    expect(seen).toEqual([])
    expect(errors).toMatchObject([{ code }])
    expect(errors[0]).toBeInstanceOf(WebhookVerificationError)
  })

  test.each(['GET', 'HEAD', 'PUT', 'DELETE'])('A1 %s gets 405', async method => {
    const { handle } = receiver()
    const answer = await handle(new Request('https://receiver.example/hooks', { method }))
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('POST')
  })

  test('A2 a request with another content type is accepted', async () => {
    const { handle } = receiver()
    expect((await handle(request({ headers: { 'content-type': 'text/plain' } }))).status).toBe(200)
  })

  test('A3 a stream without a length is accepted', async () => {
    const { handle, seen } = receiver()
    const body = new Blob([BODY]).stream()
    expect((await handle(request({ body, duplex: 'half' } as object))).status).toBe(200)
    expect(seen).toEqual(['evt_1'])
  })

  test('A4 a body that breaks off gets 400, and the handler does not run', async () => {
    const { handle, seen } = receiver()
    const body = new ReadableStream({
      start: controller => controller.enqueue(new TextEncoder().encode(BODY.slice(0, 9))),
      pull: controller => controller.error(new Error('connection reset')),
    })
    expect((await handle(request({ body, duplex: 'half' } as object))).status).toBe(400)
    expect(seen).toEqual([])
  })

  test('A5 a body that was already read causes 500 and a usage error', async () => {
    const { handle, errors } = receiver()
    const spent = request()
    await spent.json()
    expect((await handle(spent)).status).toBe(500)
    expect(errors[0]).toBeInstanceOf(WebhookUsageError)
    expect(errors).toMatchObject([{ code: 'body_already_consumed' }])
  })

  test('B14 a body over the limit gets 413, with or without a declared length', async () => {
    const { handle, errors } = receiver({ maxBodyBytes: 64 })
    const large = 'x'.repeat(65)
    const stream = { body: new Blob([large]).stream(), duplex: 'half' } as object
    expect((await handle(request({ body: large, headers: { 'content-length': '65' } }))).status).toBe(413)
    expect((await handle(request(stream))).status).toBe(413)
    expect(errors).toMatchObject([{ code: 'payload_too_large' }, { code: 'payload_too_large' }])
  })

  test('B14 the default limit is 1 MiB', async () => {
    const { handle } = receiver()
    const fits = 'x'.repeat(1_048_576)
    expect((await handle(request({ body: fits }))).status).toBe(401)
    expect((await handle(request({ body: `${fits}x` }))).status).toBe(413)
  })

  test('a signed body that is not an event gets 400', async () => {
    const { handle, seen } = receiver()
    const answer = await handle(request({ body: '[]', headers: { 'x-service-signature': signed('[]') } }))
    expect(answer.status).toBe(400)
    expect(seen).toEqual([])
  })

  test('P4 an unknown event type gets 200 and runs the handler', async () => {
    const { handle, seen } = receiver()
    const body = '{"id":"evt_9","type":"email.opened","data":{}}'
    expect((await handle(request({ body, headers: { 'x-service-signature': signed(body) } }))).status).toBe(
      200,
    )
    expect(seen).toEqual(['evt_9'])
  })

  test('A7 a handler that throws gives 500, and the sender sees no details', async () => {
    const { verifier } = receiver()
    const errors: unknown[] = []
    const fail = () => Promise.reject(new Error('database password is hunter2'))
    const answer = await verifier.toHandler(fail, { onError: error => errors.push(error) })(request())
    expect(answer.status).toBe(500)
    expect(await answer.text()).toBe('not processed\n')
    expect(errors).toMatchObject([{ message: 'database password is hunter2' }])
  })

  test('the handler’s response is sent with the proof added', async () => {
    const { verifier } = receiver()
    const handle = verifier.toHandler(() => Response.redirect('https://receiver.example/elsewhere', 303))
    const answer = await handle(request())
    expect(answer.status).toBe(303)
    expect(answer.headers.get('x-service-verified')).toBe('v1')
  })

  test('the handler receives the request and the verification result', async () => {
    const { verifier } = receiver()
    const handle = verifier.toHandler((event, context) =>
      Response.json({ event, ...context.verified, url: context.request.url }),
    )
    expect(await (await handle(request())).json()).toMatchObject({
      event: { id: 'evt_1' },
      partName: 'v1',
      timestamp: NOW,
      url: 'https://receiver.example/hooks',
    })
  })
})
