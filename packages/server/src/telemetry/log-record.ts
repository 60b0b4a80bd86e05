import { ROOT_CONTEXT, trace, TraceFlags } from '@opentelemetry/api'
import { type AnyValueMap, type LogRecord, SeverityNumber } from '@opentelemetry/api-logs'

/** A line of the log as an OpenTelemetry record. The line is already free of secrets and addresses. */
export function logRecord(line: string): LogRecord {
  const { level, time, msg, err, trace_id, span_id, ...fields } = JSON.parse(line) as LogLine
  return {
    timestamp: new Date(time),
    severityText: level,
    severityNumber: severities[level] ?? SeverityNumber.INFO,
    body: msg,
    attributes: {
      ...fields,
      ...(err !== undefined && {
        'exception.type': err.name,
        'exception.message': err.message,
        'exception.stacktrace': err.stack,
      }),
    },
    ...(trace_id !== undefined &&
      span_id !== undefined && {
        context: trace.setSpanContext(ROOT_CONTEXT, {
          traceId: trace_id,
          spanId: span_id,
          traceFlags: TraceFlags.SAMPLED,
        }),
      }),
  }
}

interface LogLine extends AnyValueMap {
  level: string
  time: string
  msg: string
  err?: { name?: string; message: string; stack?: string }
  trace_id?: string
  span_id?: string
}

const severities: Readonly<Record<string, SeverityNumber>> = {
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
}
