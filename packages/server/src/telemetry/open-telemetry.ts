import { randomUUID } from 'node:crypto'
import { getNumberFromEnv, setGlobalErrorHandler } from '@opentelemetry/core'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { MeterProvider, type MetricProducer, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Clock } from '../context.ts'
import { endsWithin } from '../ends-within.ts'
import { logRecord } from './log-record.ts'
import { collectMetrics } from './metric-data.ts'
import type { Signals } from './signals.ts'
import type { Telemetry } from './telemetry.ts'
import { createTracing } from './tracing.ts'

const flushMsMax = 3_000
const reportEveryMs = 60_000

/** Starts the export of these signals. The SDK reads the other standard variables itself. */
export function openTelemetry(
  signals: Signals,
  { clock, version }: { clock: Clock; version: string },
): Telemetry {
  const resource = resourceOf(version)
  const scope = { name: 'posthorn', version }
  const traces = signals.traces ? openTraces(resource) : null
  const logs = signals.logs ? openLogs(resource) : null
  const logger = logs?.getLogger(scope.name, version)
  return {
    tracing: traces && createTracing(traces.getTracer(scope.name, version), clock),
    logLines: logger === undefined ? null : { write: line => logger.emit(logRecord(line)) },
    exportMetrics: registry => {
      if (!signals.metrics) return null
      const startedAtMs = clock.nowMs()
      const collect = async (): ReturnType<MetricProducer['collect']> =>
        await collectMetrics(registry, { resource, scope, startedAtMs, nowMs: clock.nowMs() })
      const metrics = openMetrics(resource, { collect })
      return { [Symbol.asyncDispose]: async () => await shutDown([metrics]) }
    },
    reportFailures: log => {
      let nextAtMs = clock.monotonicMs()
      setGlobalErrorHandler(error => {
        if (clock.monotonicMs() < nextAtMs) return
        nextAtMs = clock.monotonicMs() + reportEveryMs
        log.warn({ err: error }, 'OpenTelemetry data could not be exported; deliveries are not affected')
      })
    },
    close: async () => await shutDown([traces, logs]),
  }
}

async function shutDown(providers: ReadonlyArray<{ shutdown(): Promise<void> } | null>): Promise<void> {
  const flushed = Promise.allSettled(providers.map(async one => await one?.shutdown()))
  await endsWithin(
    flushMsMax,
    flushed.then(() => {}),
    () => {},
  )
}

function resourceOf(version: string): Resource {
  const own = { 'service.name': 'posthorn', 'service.version': version, 'service.instance.id': randomUUID() }
  return defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [envDetector] }))
}

function openTraces(resource: Resource): BasicTracerProvider {
  return new BasicTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
}

function openLogs(resource: Resource): LoggerProvider {
  const scheduledDelayMillis = getNumberFromEnv('OTEL_BLRP_SCHEDULE_DELAY') ?? 1_000
  const exporter = new OTLPLogExporter()
  return new LoggerProvider({
    resource,
    processors: [new BatchLogRecordProcessor({ exporter, scheduledDelayMillis })],
  })
}

function openMetrics(resource: Resource, producer: MetricProducer): MeterProvider {
  const exportIntervalMillis = getNumberFromEnv('OTEL_METRIC_EXPORT_INTERVAL') ?? 60_000
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis,
    exportTimeoutMillis: Math.min(exportIntervalMillis, 30_000),
    metricProducers: [producer],
  })
  return new MeterProvider({ resource, readers: [reader] })
}
