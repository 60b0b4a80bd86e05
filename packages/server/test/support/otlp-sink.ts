import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { requireTestProgram } from '../../../../tools/test-programs/test-programs.ts'

/** A collector on loopback. It decodes what arrives with classes generated from OpenTelemetry's own protocol files. */
export interface OtlpSink extends AsyncDisposable {
  readonly url: string
  readonly spans: ExportedSpan[]
  /** By name, as last exported. */
  readonly metrics: Map<string, ExportedMetric>
  readonly logs: ExportedLog[]
  /** The `service.name` of every export. */
  readonly services: Set<string | number | undefined>
}

type Attributes = Record<string, string | number | undefined>

export interface ExportedSpan {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId: string
  startMs: number
  endMs: number
  attributes: Attributes
  isError: boolean
}

export interface ExportedMetric {
  unit: string
  /** As JSON: `sum`, `gauge` or `histogram`. */
  [data: string]: unknown
}

export interface ExportedLog {
  body: unknown
  severity: string
  traceId: string
  attributes: Attributes
}

export async function startOtlpSink(): Promise<OtlpSink> {
  const spans: ExportedSpan[] = []
  const metrics = new Map<string, ExportedMetric>()
  const logs: ExportedLog[] = []
  const services = new Set<string | number | undefined>()
  const take = (path: string, body: Buffer): void => {
    const { resource, scopes } = decode(path, body)
    services.add(attributesOf(resource.attributes)['service.name'])
    for (const scope of scopes) {
      for (const span of scope.spans ?? []) spans.push(spanOf(span))
      for (const metric of scope.metrics ?? []) metrics.set(metric.name, metric)
      for (const log of scope.logRecords ?? []) logs.push(logOf(log))
    }
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      take(request.url ?? '', Buffer.concat(parts))
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    logs,
    services,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** One of the three export requests, as JSON: ids are hexadecimal, and times are numbers as text. */
function decode(path: string, body: Buffer): { resource: RawResource; scopes: RawScope[] } {
  const [kind, list, scopeList] = requestsAt[path] ?? []
  if (kind === undefined || list === undefined || scopeList === undefined)
    throw new Error(`no export at ${path}`)
  const { opentelemetry } = requireTestProgram<Generated>('opentelemetry-proto/build/src/generated/root.js')
  const type =
    opentelemetry.proto.collector[kind]?.v1[`Export${kind[0]?.toUpperCase()}${kind.slice(1)}ServiceRequest`]
  if (type === undefined) throw new Error(`the protocol has no ${kind}`)
  const message = type.toObject(type.decode(body), { longs: String, bytes: Buffer })
  const [exported] = message[list] ?? []
  if (exported === undefined) throw new Error('an empty export')
  return {
    resource: exported.resource,
    scopes: (exported as unknown as Record<string, RawScope[]>)[scopeList] ?? [],
  }
}

const requestsAt: Readonly<Record<string, readonly [string, string, string]>> = {
  '/v1/traces': ['trace', 'resourceSpans', 'scopeSpans'],
  '/v1/metrics': ['metrics', 'resourceMetrics', 'scopeMetrics'],
  '/v1/logs': ['logs', 'resourceLogs', 'scopeLogs'],
}

interface Generated {
  opentelemetry: { proto: { collector: Record<string, { v1: Record<string, MessageType> }> } }
}

interface MessageType {
  decode(bytes: Uint8Array): object
  toObject(message: object, options: object): Record<string, Array<{ resource: RawResource }>>
}

interface RawResource {
  attributes: RawAttribute[]
}

interface RawScope {
  spans?: RawSpan[]
  metrics?: Array<ExportedMetric & { name: string }>
  logRecords?: RawLog[]
}

interface RawAttribute {
  key: string
  value: { stringValue?: string; intValue?: string; doubleValue?: number; boolValue?: boolean }
}

interface RawSpan {
  name: string
  kind: number
  traceId: Buffer
  spanId: Buffer
  parentSpanId?: Buffer
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes?: RawAttribute[]
  status?: { code?: number }
}

interface RawLog {
  body: RawAttribute['value']
  severityText: string
  traceId?: Buffer
  attributes?: RawAttribute[]
}

const errorStatus = 2

function spanOf(raw: RawSpan): ExportedSpan {
  return {
    name: raw.name,
    kind: raw.kind,
    traceId: raw.traceId.toString('hex'),
    spanId: raw.spanId.toString('hex'),
    parentSpanId: raw.parentSpanId?.toString('hex') ?? '',
    startMs: Number(raw.startTimeUnixNano) / 1e6,
    endMs: Number(raw.endTimeUnixNano) / 1e6,
    attributes: attributesOf(raw.attributes),
    isError: raw.status?.code === errorStatus,
  }
}

function logOf(raw: RawLog): ExportedLog {
  return {
    body: raw.body.stringValue,
    severity: raw.severityText,
    traceId: raw.traceId?.toString('hex') ?? '',
    attributes: attributesOf(raw.attributes),
  }
}

function attributesOf(attributes: readonly RawAttribute[] = []): Attributes {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? (value.intValue === undefined ? value.doubleValue : Number(value.intValue)),
    ]),
  )
}
