import type { Registry } from 'prom-client'
import type { BeginAttemptSpan } from '../dispatch/attempt-span.ts'
import type { BeginRequestSpan } from '../http/trace-requests.ts'
import type { Log } from '../log.ts'

/** What Posthorn sends to an OpenTelemetry collector. */
export interface Telemetry {
  /** Null if no traces are exported. */
  readonly tracing: Tracing | null
  /** Takes every line of the log; null if the log is not exported. */
  readonly logLines: { write(line: string): void } | null
  /** Exports these metrics until the result is disposed, which exports them once more; null if metrics are not exported. */
  exportMetrics(registry: Registry): AsyncDisposable | null
  /** Says in the log that an export fails, at most once a minute. */
  reportFailures(log: Pick<Log, 'warn'>): void
  /** Exports the spans and log lines that are left, for at most three seconds. */
  close(): Promise<void>
}

export interface Tracing {
  readonly beginRequest: BeginRequestSpan
  readonly beginAttempt: BeginAttemptSpan
}
