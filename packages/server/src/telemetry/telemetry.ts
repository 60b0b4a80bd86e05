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
  /** Exports these metrics from now on, if metrics are exported. */
  exportMetrics(registry: Registry): void
  /** Says in the log that an export fails, at most once a minute. */
  reportFailures(log: Pick<Log, 'warn'>): void
  /** Exports what is left, for at most three seconds. */
  close(): Promise<void>
}

export interface Tracing {
  readonly beginRequest: BeginRequestSpan
  readonly beginAttempt: BeginAttemptSpan
}
