import { afterAll, beforeAll, expect } from 'vitest'
import { answer } from '../egress/raw-receiver.ts'
import { type NoticeInbox, openNoticeInbox } from '../health/notice-inbox.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import * as behaves from './behaviours.ts'
import { fault } from './fault.ts'
import { type Behaviour, type FaultReceiver, startFaultReceiver } from './fault-receiver.ts'
import { type FaultyEndpoints, startFaultyEndpoints, type Told } from './faulty-endpoints.ts'
import { peakMemoryBytes } from './peak-memory.ts'
import { startTlsFaults } from './tls-faults.ts'

const timeoutSeconds = 3
const eventsBeside = 200
/** How late an attempt may end on a busy machine. */
const latenessMs = 3_000
/** How many bytes may be in flight when an answer is cut off: the buffers of two sockets. */
const sentBytesMax = 32 * 1024 * 1024
/** How much memory a process may need for endless answers. It keeps some kilobytes of each. */
const memoryBytesMax = 128 * 1024 * 1024

const ok = 'HTTP/1.1 200 OK\r\n'
const behaviours = {
  neverAnswers: behaves.neverAnswers,
  slowHeaders: behaves.drips(`${ok}x-slow: `, 'a', 1_000),
  slowBody: behaves.drips(`${ok}content-length: 100000\r\n\r\n`, 'a', 1_000),
  endlessInterim: behaves.drips('', 'HTTP/1.1 103 Early Hints\r\n\r\n', 100),
  floodOfInterim: behaves.floods('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)),
  continueOnly: behaves.says('HTTP/1.1 100 Continue\r\n\r\n'),
  largeHeaders: behaves.tenMegabytesOfHeaders,
  largeBody: behaves.tenGigabytes(200),
  largeFailure: behaves.tenGigabytes(500),
  gzipBomb: behaves.gzipBomb(),
  resetAtOnce: behaves.resetsAtOnce,
  resetAfterRequest: behaves.resetsAfterRequest,
  resetInStatus: behaves.saysAndResets('HTTP/1.1 20'),
  resetInBody: behaves.saysAndResets(`${ok}content-length: 10\r\n\r\nabc`),
  resetInFailure: behaves.saysAndResets('HTTP/1.1 500 Oops\r\ncontent-length: 10\r\n\r\nabc'),
  endsEarly: behaves.saysAndEnds(`${ok}content-length: 10\r\n\r\nabc`),
  endsWithoutAnswer: behaves.endsAfterRequest,
  wrongChunks: behaves.says(`${ok}transfer-encoding: chunked\r\n\r\nzz\r\nnonsense`),
  http09: behaves.says('<html>hello</html>'),
  garbage: behaves.says('\x00\x01\x02garbage\r\n\r\n'),
  resetAfter200: behaves.saysAndResets(answer(200)),
  unauthorized: behaves.answers(401),
  forbidden: behaves.answers(403),
  notFound: behaves.answers(404),
  gone: behaves.answers(410),
  tooLarge: behaves.answers(413),
  noContent: behaves.answers(204),
  last2xx: behaves.answers(299),
  interimOnly: behaves.saysAndEnds('HTTP/1.1 102 Processing\r\n\r\n'),
} satisfies Record<string, Behaviour>

const receivers = new Map<string, FaultReceiver>()
let endpoints: FaultyEndpoints
let healthy: Receiver
let inside: FaultReceiver
let inbox: NoticeInbox
let peakBeforeBytes: number
const opened = new AsyncDisposableStack()

const asFailure = (code: string, words: string, status: number | null = null): object => ({
  webhook: { status: 'enabled' },
  delivery: { state: 'failed', attempt_count: 1, next_attempt_at: expect.any(String) },
  attempt: { status_code: status, error: { code, message: expect.stringContaining(words) } },
})
const asSuccess = (status = 200): object => ({
  delivery: { state: 'delivered', attempt_count: 1 },
  attempt: { status_code: status, error: null },
})

/** It also checks that no attempt exceeds its time limit, and that none sends a second request. */
async function expectTold(name: string, expected: object, requests = 1): Promise<Told> {
  const told = await endpoints.told(name)
  expect(told, name).toMatchObject(expected)
  expect(told.attempt.duration_ms, name).toBeLessThan(timeoutSeconds * 1_000 + latenessMs)
  expect(told.requests, name).toBe(requests)
  return told
}

beforeAll(async () => {
  const tls = opened.use(await startTlsFaults())
  healthy = opened.use(await startReceiver())
  inside = opened.use(await startFaultReceiver(behaves.answers(200)))
  const redirecting = behaves.answers(307, { location: `${inside.url}?token=1` })
  for (const [name, behaviour] of Object.entries({ ...behaviours, redirecting })) {
    receivers.set(name, opened.use(await startFaultReceiver(behaviour)))
  }
  const silent = opened.use(await startFaultReceiver({}))
  const plain = opened.use(await startFaultReceiver({ greet: socket => socket.write(answer(400)) }))
  const at = ({ port, requests }: FaultReceiver) => ({ url: `https://localhost:${port}/`, requests })
  const { good } = tls.endpoints
  endpoints = opened.use(
    await startFaultyEndpoints(
      {
        ...Object.fromEntries(receivers),
        ...tls.endpoints,
        unfinishedHandshake: at(silent),
        plainHttp: at(plain),
        tlsOnHttp: { url: good.url.replace('https:', 'http:'), requests: () => 0 },
      },
      { POSTHORN_ATTEMPT_TIMEOUT_SECONDS: String(timeoutSeconds), ...tls.settings },
    ),
  )
  inbox = opened.use(await openNoticeInbox(endpoints.customer))
  await endpoints.customer.newWebhook({ url: healthy.url() })
  peakBeforeBytes = peakMemoryBytes(endpoints.service().pid)
  const all = endpoints.sendAll()
  await endpoints.customer.report(eventsBeside)
  await healthy.waitForEvents(eventsBeside + 1)
  await all
})
afterAll(async () => await opened.disposeAsync())

fault('F21', 'the attempt ends at its deadline, and other endpoints receive all their events', async seen => {
  await expectTold('neverAnswers', asFailure('response_timeout', 'did not answer within 3 s'))
  expect(healthy.counts().size).toBeGreaterThanOrEqual(eventsBeside)
  expect([...healthy.counts().values()].every(times => times === 1)).toBe(true)
  seen(`${eventsBeside} events to a healthy endpoint, beside one to each faulty endpoint of this group`)
})

fault('F22', 'the attempt ends at its deadline, and the error names the TLS handshake', async () => {
  await expectTold('unfinishedHandshake', asFailure('connect_timeout', 'did not finish the TLS handshake'), 0)
})

fault('F23', 'slow headers do not extend the attempt beyond its deadline', async () => {
  await expectTold('slowHeaders', asFailure('request_timeout', 'did not finish the headers'))
})

fault('F24', 'a 200 is a success, and its slow body is cut off', async () => {
  await expectTold('slowBody', asSuccess())
})

fault(
  'F25',
  'neither slow nor fast informational responses extend the attempt beyond its deadline',
  async () => {
    await expectTold('endlessInterim', asFailure('request_timeout', 'only interim answers'))
    await expectTold('floodOfInterim', asFailure('response_malformed', 'more than 32 interim answers'))
  },
)

fault('F26', '100 Continue alone does not count as a response', async () => {
  await expectTold('continueOnly', asFailure('request_timeout', 'only interim answers'))
})

fault('F27', 'response headers over 16 KiB fail the attempt', async () => {
  await expectTold('largeHeaders', asFailure('headers_too_large', '16 KiB'))
})

fault('F28', 'a huge response is cut off and not decompressed, and memory stays bounded', async seen => {
  const success = await expectTold('largeBody', asSuccess())
  expect(success.attempt.response_body).toHaveLength(512)
  const failure = await expectTold('largeFailure', asFailure('status_not_2xx', 'answered 500', 500))
  expect(failure.attempt.response_body).toHaveLength(8_192)
  await expectTold('gzipBomb', asSuccess())
  for (const name of ['largeBody', 'largeFailure']) {
    expect(receivers.get(name)?.sentBytes(), name).toBeLessThan(sentBytesMax)
  }
  const grownBytes = peakMemoryBytes(endpoints.service().pid) - peakBeforeBytes
  expect(grownBytes).toBeLessThan(memoryBytesMax)
  seen(`${Math.round(grownBytes / 1024 / 1024)} MiB more at the peak, with all faults of this group at once`)
})

fault('F29', 'a reset before the headers is a failure; after them the status decides', async () => {
  await expectTold('resetAtOnce', asFailure('connection_reset', 'closed the connection'), 0)
  await expectTold('resetAfterRequest', asFailure('connection_reset', 'closed the connection'))
  await expectTold('resetInStatus', asFailure('connection_reset', 'closed the connection'))
  await expectTold('resetInBody', asSuccess())
  await expectTold('resetInFailure', asFailure('status_not_2xx', 'answered 500', 500))
})

fault(
  'F30',
  '2xx headers are a success even if the body is cut short; no response is a failure',
  async () => {
    await expectTold('endsEarly', asSuccess())
    await expectTold('endsWithoutAnswer', asFailure('connection_reset', 'closed the connection'))
  },
)

fault('F31', 'the error says that a response is not HTTP', async () => {
  await expectTold('wrongChunks', asSuccess())
  await expectTold('http09', asFailure('response_malformed', 'not HTTP'))
  await expectTold('garbage', asFailure('response_malformed', 'not HTTP'))
  const told = await expectTold('tlsOnHttp', { delivery: { state: 'failed' } }, 0)
  expect(told.attempt.error?.code).toMatch(/^(connection_reset|response_malformed)$/)
  await expectTold('plainHttp', asFailure('tls_failed', 'perhaps it speaks plain HTTP'), 0)
})

fault('F32', 'the 200 is a success', async () => {
  await expectTold('resetAfter200', asSuccess())
})

fault('F33', 'the redirect is not followed, and its target gets no connection', async () => {
  const { attempt } = await expectTold('redirecting', asFailure('redirect_refused', 'never follow', 307))
  expect(attempt.error?.message).not.toContain('token')
  expect(inside.reachedAt).toEqual([])
})

fault('F34', 'the deliveries are retried, and the error says what to check', async () => {
  await expectTold('unauthorized', asFailure('status_not_2xx', 'signature', 401))
  await expectTold('forbidden', asFailure('status_not_2xx', 'firewall', 403))
  await expectTold('notFound', asFailure('status_not_2xx', 'path', 404))
})

fault('F35', 'the endpoint is disabled, its owner is notified, and no further request is sent', async () => {
  await expectTold('gone', {
    webhook: { status: 'disabled', disabled_reason: 'gone' },
    delivery: { state: 'exhausted', reason: 'endpoint_gone', next_attempt_at: null },
    attempt: { status_code: 410 },
  })
  const { customer } = endpoints
  await using receiver = await startFaultReceiver(behaves.answers(410))
  const failed = { type: 'email.failed' }
  const webhook = await customer.newWebhook({ url: receiver.url, events: ['email.failed'] })
  await customer.report(1, failed)
  await until('its owner is told', async () => JSON.stringify(await inbox.notices()).includes(webhook.id))
  const arrived = healthy.counts().size
  await customer.report(5, failed)
  await healthy.waitForEvents(arrived + 5)
  const deliveries = await customer.deliveries(webhook.id)
  expect(deliveries.map(one => one.attempt_count)).toEqual([0, 0, 0, 0, 0, 1])
  expect(receiver.requests()).toBe(1)
})

fault('F37', 'the delivery is retried, and the error says which limit to raise', async () => {
  await expectTold('tooLarge', asFailure('status_not_2xx', 'body limit', 413))
})

fault('F38', 'every 2xx is a success; an informational response is not', async () => {
  await expectTold('noContent', asSuccess(204))
  await expectTold('last2xx', asSuccess(299))
  await expectTold('interimOnly', asFailure('connection_reset', 'closed the connection'))
})

fault('F39', 'no request is sent, and the error says what is wrong with the certificate', async () => {
  await expectTold('expired', asFailure('tls_expired', 'expired on'), 0)
  await expectTold('notYetValid', asFailure('tls_expired', 'not valid before'), 0)
  await expectTold('selfSigned', asFailure('tls_failed', 'self-signed'), 0)
  await expectTold('otherName', asFailure('tls_name_mismatch', 'is for other.example.com'), 0)
  await expectTold('unknownAuthority', asFailure('tls_failed', 'no trusted authority'), 0)
  await expectTold('oldTls', asFailure('tls_failed', 'TLS 1.2'), 0)
  await expectTold('good', asSuccess(204))
})
