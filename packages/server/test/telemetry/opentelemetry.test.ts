import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/db/open-database.ts'
import { makeCertificate } from '../egress/certificate.ts'
import { type Customer, expectStatus, newCustomer } from '../support/api.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { freePort } from '../support/free-port.ts'
import { type ExportedSpan, type OtlpSink, startOtlpSink } from '../support/otlp-sink.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, type ServiceProcess, startProcess } from '../support/service-process.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { type DatabasePlace, embedded, newDatabasePlace, newestServer } from '../support/test-database.ts'
import { startTlsReceiver, type TlsReceiver } from '../support/tls-receiver.ts'
import { until } from '../support/until.ts'
import { tracePicture } from './trace-picture.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const callerSpan = 'b7ad6b7169203331'
const fromCaller = { traceparent: `00-${traceId}-${callerSpan}-01` }
const secretPath = '/hooks/only-acme-knows?token=hidden'

const kinds = { internal: 1, server: 2, client: 3 }

let sink: OtlpSink
let dns: DnsServer
let mailServer: SmtpSink
let place: DatabasePlace
let service: ServiceProcess

beforeAll(async () => {
  sink = await startOtlpSink()
  dns = await startDnsServer()
  mailServer = await startSmtpSink()
  place = await newDatabasePlace(newestServer())
  writeFileSync(join(place.dataDir, 'authority.pem'), authority.cert)
  service = await startProcess(newInstallation(place), {
    OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_BLRP_SCHEDULE_DELAY: '50',
    OTEL_METRIC_EXPORT_INTERVAL: '200',
    OTEL_SERVICE_NAME: 'acme-webhooks',
    NODE_EXTRA_CA_CERTS: join(place.dataDir, 'authority.pem'),
    POSTHORN_DNS_SERVERS: dns.address,
    POSTHORN_RETRY_BASE_SECONDS: '0.2',
    POSTHORN_SMTP_URL: mailServer.url,
    POSTHORN_SMTP_FINAL_HOP: 'true',
  })
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await place[Symbol.asyncDispose]()
  for (const one of [mailServer, dns, sink]) await one[Symbol.asyncDispose]()
})

const authority = makeCertificate({ name: 'Posthorn test authority', isAuthority: true })

/** A receiver with a name and a certificate. Its first answer is an error. */
async function startUnsteadyReceiver(): Promise<
  TlsReceiver & { url: (path: string) => string; headers: object[] }
> {
  dns.addresses('hooks.acme.example', '127.0.0.1')
  const headers: object[] = []
  const certificate = makeCertificate({ name: 'acme', hosts: ['hooks.acme.example'], issuer: authority })
  const receiver = await startTlsReceiver(certificate, (request, response) => {
    headers.push(request.headers)
    response.writeHead(headers.length === 1 ? 503 : 204, { connection: 'close' }).end()
  })
  const url = (path: string): string => receiver.url(path).replace('localhost', 'hooks.acme.example')
  return { ...receiver, url, headers }
}

function spansOf(trace: string, name: string): ExportedSpan[] {
  return sink.spans.filter(span => span.traceId === trace && span.name === name)
}

async function wantTraceparent({ accountId }: Customer): Promise<void> {
  expectStatus(200, await service.operator.patch(`/v1/accounts/${accountId}`, { send_traceparent: true }))
}

async function report(customer: Customer, headers: Record<string, string> = {}): Promise<string> {
  const outcome = { type: 'email.delivered', data: { email_id: 'em_1', to: ['ann@reader.example'] } }
  const answer = await customer.api.post<{ events: string[] }>('/v1/outcomes', outcome, headers)
  return expectStatus(202, answer).events[0] ?? ''
}

test('one trace goes from the report over each attempt to its stored result, and on to the receiver', async () => {
  const customer = await newCustomer(service.url, service.operator)
  await using receiver = await startUnsteadyReceiver()
  await customer.newWebhook({ url: receiver.url(secretPath) })
  await wantTraceparent(customer)
  const eventId = await report(customer, fromCaller)
  await until('both results are stored and exported', () => spansOf(traceId, 'settle').length === 2)

  const [accept] = spansOf(traceId, 'POST /v1/outcomes')
  expect(accept).toMatchObject({ parentSpanId: callerSpan, kind: kinds.server })
  expect(accept?.attributes).toMatchObject({ 'http.route': '/v1/outcomes', 'http.response.status_code': 202 })
  const attempts = spansOf(traceId, 'POST webhook').toSorted((a, b) => a.startMs - b.startMs)
  expect(attempts.map(({ parentSpanId, kind }) => [parentSpanId, kind])).toEqual([
    [accept?.spanId, kinds.client],
    [accept?.spanId, kinds.client],
  ])
  expect(attempts.map(({ attributes: a, isError }) => [a['http.response.status_code'], isError])).toEqual([
    [503, true],
    [204, false],
  ])
  expect(attempts[1]?.attributes).toMatchObject({
    'server.address': 'hooks.acme.example',
    'http.request.resend_count': 1,
    'messaging.message.id': eventId,
  })
  const phases = sink.spans.filter(({ parentSpanId }) => parentSpanId === attempts[0]?.spanId)
  expect(phases.map(({ name }) => name)).toEqual(['DNS', 'connect', 'TLS', 'request and wait'])
  const states = spansOf(traceId, 'settle').map(({ attributes }) => attributes['posthorn.delivery.state'])
  expect(states).toEqual(['failed', 'delivered'])
  expect(receiver.headers).toMatchObject(
    attempts.map(({ spanId }) => ({ traceparent: `00-${traceId}-${spanId}-01` })),
  )
  const exported = JSON.stringify(sink.spans)
  for (const secret of ['only-acme-knows', 'hidden', 'reader.example']) expect(exported).not.toContain(secret)
  if (process.env['POSTHORN_SCREENSHOTS'] !== undefined) {
    const ofTrace = sink.spans.filter(span => span.traceId === traceId)
    writeFileSync(new URL('../../../../docs/screenshots/trace.svg', import.meta.url), tracePicture(ofTrace))
  }
})

test('an email’s event belongs to the trace of its request, and a receiver gets no traceparent unless the account wants it', async () => {
  const customer = await newCustomer(service.url, service.operator)
  await using receiver = await startReceiver()
  await customer.newWebhook({ url: receiver.url() })
  const email = {
    from: 'shop@shop.example',
    to: ['ann@reader.example'],
    subject: 'Your receipt',
    text: 'Thank you.',
  }
  const trace = 'a'.repeat(32)
  const headers = { traceparent: `00-${trace}-${callerSpan}-01` }
  expectStatus(202, await customer.api.post('/v1/emails', email, headers))
  await receiver.waitForEvents(1)
  await until('the result is exported', () => spansOf(trace, 'settle').length === 1)
  expect(spansOf(trace, 'POST webhook')[0]?.parentSpanId).toBe(spansOf(trace, 'POST /v1/emails')[0]?.spanId)
  expect(receiver.received[0]?.headers['traceparent']).toBeUndefined()

  // the next attempt follows the changed setting
  await wantTraceparent(customer)
  await report(customer, { traceparent: 'malformed' })
  await receiver.waitForEvents(2)
  const [, own = ''] = String(receiver.received[1]?.headers['traceparent']).split('-')
  await until('the trace that started here is exported', () => spansOf(own, 'settle').length === 1)
  expect(spansOf(own, 'POST /v1/outcomes')[0]?.parentSpanId).toBe('')
})

test('the collector gets every metric under its Prometheus name, and the log with trace ids', async () => {
  const customer = await newCustomer(service.url, service.operator)
  await report(customer)
  await until('a report is counted', () => {
    const points = sink.metrics.get('posthorn_events_accepted_total')?.['sum'] as Points | undefined
    return points?.isMonotonic === true && (points.dataPoints[0]?.asDouble ?? 0) > 0
  })
  const text = await (await fetch(`${service.url}/metrics`)).text()
  const names = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name)
  expect([...sink.metrics.keys()].toSorted()).toEqual(names.toSorted())
  const { unit, histogram } = sink.metrics.get('posthorn_attempt_duration_seconds') ?? { unit: '' }
  const [point] = (histogram as Points).dataPoints
  expect(unit).toBe('s')
  expect(point?.bucketCounts).toHaveLength((point?.explicitBounds?.length ?? 0) + 1)
  expect(sink.services).toEqual(new Set(['acme-webhooks']))
  expect(sink.logs.map(({ body }) => body)).toContain(`Posthorn listens on ${service.url}`)

  const database = await openDatabase({
    url: place.databaseUrl,
    dataDir: '',
    connectionsMax: 1,
    onLost: () => {},
  })
  await database.query('alter table outcome_key rename to broken')
  await database[Symbol.asyncDispose]()
  const trace = 'b'.repeat(32)
  const headers = { traceparent: `00-${trace}-${callerSpan}-01` }
  const outcome = { type: 'email.delivered', data: { email_id: 'em_1', to: ['ann@reader.example'] } }
  expectStatus(500, await customer.api.post('/v1/outcomes', outcome, headers))
  const log = await until('the failure is exported', () => sink.logs.find(one => one.traceId === trace))
  expect(log).toMatchObject({ body: 'a request failed unexpectedly', severity: 'error' })
  expect(spansOf(trace, 'POST /v1/outcomes').every(({ isError }) => isError)).toBe(true)
})

interface Points {
  isMonotonic?: boolean
  dataPoints: Array<{ asDouble?: number; bucketCounts?: unknown[]; explicitBounds?: unknown[] }>
}

test.concurrent('while it is off, nothing of the SDK is loaded or sent, and the caller’s traceparent still reaches the receiver', async () => {
  await using unused = await startOtlpSink()
  await using own = await newDatabasePlace(embedded)
  await using receiver = await startReceiver()
  const coverage = join(own.dataDir, 'coverage')
  await using quiet = await startProcess(newInstallation(own), {
    OTEL_SDK_DISABLED: 'true',
    OTEL_EXPORTER_OTLP_ENDPOINT: unused.url,
    NODE_V8_COVERAGE: coverage,
  })
  const customer = await newCustomer(quiet.url, quiet.operator)
  await customer.newWebhook({ url: receiver.url() })
  const path = `/v1/accounts/${customer.accountId}`
  expectStatus(200, await quiet.operator.patch(path, { send_traceparent: true }))
  await report(customer, fromCaller)
  await receiver.waitForEvents(1)
  expect(receiver.received[0]?.headers).toMatchObject(fromCaller)
  expect(await quiet.stop()).toBe(0)
  const loaded = readdirSync(coverage).map(name => readFileSync(join(coverage, name), 'utf8'))
  expect(loaded.some(text => text.includes('/src/dispatch/attempt.ts'))).toBe(true)
  // prom-client needs the API, which does nothing without an SDK
  expect(loaded.some(text => /@opentelemetry\/(?!api\/)/.test(text))).toBe(false)
  expect(unused.services.size).toBe(0)
})

test.concurrent('a stop exports the last metrics, spans and log lines', async () => {
  await using last = await startOtlpSink()
  await using own = await newDatabasePlace(embedded)
  await using stopping = await startProcess(newInstallation(own), {
    OTEL_EXPORTER_OTLP_ENDPOINT: last.url,
    OTEL_METRIC_EXPORT_INTERVAL: '3600000',
    OTEL_BSP_SCHEDULE_DELAY: '3600000',
    OTEL_BLRP_SCHEDULE_DELAY: '3600000',
  })
  const customer = await newCustomer(stopping.url, stopping.operator)
  await report(customer)
  expect(await stopping.stop()).toBe(0)
  const accepted = last.metrics.get('posthorn_events_accepted_total')?.['sum'] as Points | undefined
  expect(accepted?.dataPoints.map(({ asDouble }) => asDouble)).toContain(1)
  expect(last.spans.map(({ name }) => name)).toContain('POST /v1/outcomes')
  expect(last.logs.map(({ body }) => body)).toContain('draining: finishing attempts in flight')
  expect(stopping.output()).not.toContain('could not be exported')
})

test.concurrent('a collector that is down or hangs delays neither deliveries nor the end of the process', async () => {
  await using own = await newDatabasePlace(embedded)
  await using receiver = await startReceiver()
  const hanging = createServer().listen(0, '127.0.0.1')
  await once(hanging, 'listening')
  await using patient = await startProcess(newInstallation(own), {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`,
    OTEL_METRIC_EXPORT_INTERVAL: '100',
    OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
  })
  const customer = await newCustomer(patient.url, patient.operator)
  await customer.newWebhook({ url: receiver.url() })
  await report(customer)
  await receiver.waitForEvents(1)
  const stoppedAtMs = performance.now()
  expect(await patient.stop()).toBe(0)
  // three seconds for what is left; the collector would take a minute
  expect(performance.now() - stoppedAtMs).toBeLessThan(30_000)
  hanging.close()
})
