import type { Attempt, AttemptErrorCode, AttemptTrigger, Delivery } from '@posthorn/contract'
import { requestHeadersOf } from '../domain/request-record.ts'
import { typeId } from '../domain/type-id.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'

export interface AttemptRow {
  id: string
  number: number
  trigger: AttemptTrigger
  duration_ms: number
  dns_ms: number | null
  connect_ms: number | null
  tls_ms: number | null
  first_byte_ms: number | null
  status_code: number | null
  error_code: AttemptErrorCode | null
  error_message: string | null
  /** As `requestRecord` writes it. */
  request: string | null
  /** Lines of `name: value`. */
  response_headers: string | null
  response_body: string | null
  verified_by: string | null
}

export const attemptColumns = `id, number, trigger::text as trigger, duration_ms, dns_ms, connect_ms, tls_ms,
  first_byte_ms, status_code, error_code, error_message, response_headers, response_body,
  verified_by, request`

/** An attempt as the API shows it. Its id was created when it started, so it contains the start time. */
export function toAttempt(row: AttemptRow, delivery: Delivery): Attempt {
  return {
    id: typeId('att', row.id),
    number: row.number,
    started_at: new Date(uuidV7Ms(row.id)).toISOString(),
    duration_ms: row.duration_ms,
    phases: {
      dns_ms: row.dns_ms,
      connect_ms: row.connect_ms,
      tls_ms: row.tls_ms,
      first_byte_ms: row.first_byte_ms,
    },
    outcome: row.error_code === null ? 'delivered' : 'failed',
    status_code: row.status_code,
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
    request_headers:
      row.request === null
        ? null
        : requestHeadersOf(row.request, {
            eventId: delivery.event_id,
            deliveryId: delivery.id,
            attempt: row.number,
            sequence: delivery.sequence,
          }),
    response_headers: row.response_headers === null ? null : readHeaderLines(row.response_headers),
    response_body: row.response_body,
    verified_by: row.verified_by,
    trigger: row.trigger,
  }
}

function readHeaderLines(lines: string): Record<string, string> {
  return Object.fromEntries(
    lines
      .split('\n')
      .filter(line => line !== '')
      .map(line => {
        const colon = line.indexOf(': ')
        return [line.slice(0, colon), line.slice(colon + 2)]
      }),
  )
}
