import type { Suppression } from '@posthorn/contract'
import { typeId } from '../domain/type-id.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'

export interface SuppressionRow {
  id: string
  address: string | null
  reason: Suppression['reason']
  scope: Suppression['scope']['type']
  list: string | null
  email_id: string | null
  event_id: string | null
  lapses_at: Date | null
  lifted_at: Date | null
  state: Suppression['state']
}

/** The state of `suppression s`. */
const suppressionState = `case when s.lifted_at is not null then 'lifted'
    when s.lapses_at <= now() and is_clock_trusted() then 'lapsed' else 'active' end`

/** Whether the state of `suppression s` is one of the parameter; conditions on columns, because the planner knows their shares. */
export function hasState(parameter: string): string {
  return `('lifted' = any(${parameter}) and s.lifted_at is not null
    or 'active' = any(${parameter}) and s.lifted_at is null
      and (s.lapses_at is null or s.lapses_at > now() or not is_clock_trusted())
    or 'lapsed' = any(${parameter}) and s.lifted_at is null and s.lapses_at <= now() and is_clock_trusted())`
}

/** Columns of `suppression s`. */
export const suppressionColumns = `s.id, s.address, s.reason, s.scope, s.list, s.email_id, s.event_id, s.lapses_at,
  s.lifted_at, ${suppressionState} as state`

/** A suppression as the API shows it. */
export function toSuppression(row: SuppressionRow): Suppression {
  return {
    id: typeId('sup', row.id),
    state: row.state,
    address: row.address,
    reason: row.reason,
    scope: { type: row.scope, id: row.list },
    email_id: row.email_id,
    event_id: row.event_id === null ? null : typeId('evt', row.event_id),
    created_at: new Date(uuidV7Ms(row.id)).toISOString(),
    lapses_at: row.lapses_at?.toISOString() ?? null,
    lifted_at: row.lifted_at?.toISOString() ?? null,
  }
}

/** For the audit log, because an erasure cannot remove an address from it. */
export function withoutAddress(suppression: Suppression): object {
  return { ...suppression, address: undefined }
}
