import type { AttemptErrorCode, DeliveryState, EventType } from '@posthorn/contract'
import { noticeTypesSql } from '../notices/notice-types.ts'

/** The filters of a list of deliveries. */
export interface DeliveryFilters {
  limit: number
  state?: readonly DeliveryState[] | undefined
  type?: readonly EventType[] | undefined
  error_code?: readonly AttemptErrorCode[] | undefined
  since?: string | undefined
  until?: string | undefined
}

/**
 * How many rows one page scans at most. If a filter finds few rows among many, the page has those found so far, and its
 * cursor continues the scan.
 */
export const lookedThroughMax = 5_000

/** The states to search. With an error code, it includes delivered ones only if the caller asks for them. */
export function statesOf({ state, error_code }: DeliveryFilters): readonly DeliveryState[] {
  if (state !== undefined) return state
  return error_code === undefined ? allStates : ['pending', 'failed', 'exhausted']
}

const allStates = ['pending', 'failed', 'delivered', 'exhausted'] as const

/** Whether all requested types are rare. Rare types have their own indexes. */
export function areRare(types: DeliveryFilters['type']): boolean {
  return types?.includes('email.delivered') === false
}

export function hasFilters({ state, type, error_code }: DeliveryFilters): boolean {
  return state !== undefined || type !== undefined || error_code !== undefined
}

/** Whether there is a time range. */
export function isDated({ since, until }: DeliveryFilters): boolean {
  return since !== undefined || until !== undefined
}

/** States, types and error codes as three parameters; null for any, so that the planner knows. */
export function filterValues(filters: DeliveryFilters): unknown[] {
  const states = statesOf(filters)
  const any = allStates.every(state => states.includes(state))
  return [any ? null : states, filters.type ?? null, filters.error_code ?? null]
}

/** The condition on a delivery `p`, with three parameters from `$first` on. Notices are never listed. */
export function filtersSql(first: number): string {
  return `($${first}::delivery_state[] is null or p.state = any($${first}))
        and ($${first + 1}::event_type[] is null or p.type = any($${first + 1}))
        and ($${first + 2}::text[] is null or p.last_error_code = any($${first + 2}))
        and p.type <> all(${noticeTypesSql})`
}
