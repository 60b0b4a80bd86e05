import type {
  AttemptErrorCode,
  Delivery,
  DeliveryState,
  EventType,
  ExhaustedReason,
} from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { retriesMax } from '../domain/backoff.ts'
import { typeId } from '../domain/type-id.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'
import { readEventData } from '../events/event-data.ts'
import { selectWaiting, toWaiting, type WaitingRow } from './waiting.ts'

export interface DeliveryRow {
  id: string
  event_id: string
  endpoint_id: string
  type: EventType
  state: DeliveryState
  reason: ExhaustedReason | null
  sequence: number
  attempt_count: number
  retries_used: number
  last_error_code: AttemptErrorCode | null
  last_status_code: number | null
  last_duration_ms: number | null
  last_attempt_at: Date | null
  delivered_at: Date | null
  /** Null if the delivery is finished. */
  waiting: WaitingRow | null
  /** Null once retention has dropped the event. */
  event_body: Uint8Array | null
}

/**
 * A select of the deliveries `d` in `source`, with their queue row, last attempt and event. It looks up each by primary
 * key, because planning joins takes longer than reading the rows. It returns the event as bytes, because PostgreSQL's JSON
 * cannot hold NUL or unpaired surrogates.
 * @param counted whether to count the deliveries that go first, for which a list has no time
 */
export function selectDeliveries(source: string, counted = false): string {
  return `select d.id, d.event_id, d.endpoint_id, d.type::text as type, d.state::text as state, d.reason, d.sequence,
      d.attempt_count, d.retries_used, d.last_error_code, d.last_attempt_at, d.delivered_at,
      l.status_code as last_status_code, l.duration_ms as last_duration_ms,
      ${selectWaiting(counted)} as waiting,
      (select v.body from event v where v.account_id = d.account_id and v.id = d.event_id) as event_body
    from ${source} d
    -- attempts are in the partition of their delivery, ordered by time
    left join lateral (
      select a.status_code, a.duration_ms from attempt a
      where a.account_id = d.account_id and a.delivery_id = d.id
      order by a.id desc
      limit 1
    ) l on true`
}

/** A delivery as the API shows it, without its attempts. */
export function toDelivery(row: DeliveryRow, settings: Pick<Ctx['settings'], 'drainPerSecond'>): Delivery {
  return {
    id: typeId('dlv', row.id),
    event_id: typeId('evt', row.event_id),
    webhook_id: typeId('wh', row.endpoint_id),
    state: row.state,
    reason: row.reason,
    sequence: row.sequence,
    attempt_count: row.attempt_count,
    retries_left: Math.max(0, retriesMax - row.retries_used),
    ...toWaiting(row.waiting, settings.drainPerSecond),
    last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
    last_error_code: row.last_error_code,
    last_status_code: row.last_status_code,
    last_duration_ms: row.last_duration_ms,
    created_at: new Date(uuidV7Ms(row.id)).toISOString(),
    delivered_at: row.delivered_at?.toISOString() ?? null,
    event: { type: row.type, ...readRecipients(row.event_body) },
  }
}

function readRecipients(body: Uint8Array | null): { email_id: string; to: string[] } {
  if (body === null) return { email_id: '', to: [] }
  const { email_id, to } = readEventData(body)
  return { email_id, to }
}
