import type { AttemptErrorCode, DeliveryState, EventType } from '@posthorn/contract'
import { noticeTypesSql } from '../notices/notice-types.ts'

/** Which deliveries a list is to show. */
export interface DeliveryFilters {
  limit: number
  state?: readonly DeliveryState[] | undefined
  type?: readonly EventType[] | undefined
  error_code?: readonly AttemptErrorCode[] | undefined
  since?: string | undefined
  until?: string | undefined
}

/**
 * How many rows one page looks through at most. Where a filter finds few among many, the page is what was found so
 * far, and its cursor goes on from there.
 */
export const lookedThroughMax = 5_000

/** The states in question. What was delivered is searched for errors that it overcame only when it is asked for. */
export function statesOf({ state, error_code }: DeliveryFilters): readonly DeliveryState[] {
  if (state !== undefined) return state
  return error_code === undefined ? allStates : ['pending', 'failed', 'exhausted']
}

const allStates = ['pending', 'failed', 'delivered', 'exhausted'] as const

/** Whether only types are asked for that have indexes of their own, because most events are none of them. */
export function areRare(types: DeliveryFilters['type']): boolean {
  return types?.includes('email.delivered') === false
}

export function hasFilters({ state, type, error_code }: DeliveryFilters): boolean {
  return state !== undefined || type !== undefined || error_code !== undefined
}

/** Whether days are to be left out. */
export function isDated({ since, until }: DeliveryFilters): boolean {
  return since !== undefined || until !== undefined
}

/** States, types and error codes as three parameters in a row; null where any will do, which the planner then knows. */
export function filterValues(filters: DeliveryFilters): unknown[] {
  const states = statesOf(filters)
  const any = allStates.every(state => states.includes(state))
  return [any ? null : states, filters.type ?? null, filters.error_code ?? null]
}

/** What a delivery `p` must be, by three parameters from `$first` on. Notices are no mail. */
export function filtersSql(first: number): string {
  return `($${first}::delivery_state[] is null or p.state = any($${first}))
        and ($${first + 1}::event_type[] is null or p.type = any($${first + 1}))
        and ($${first + 2}::text[] is null or p.last_error_code = any($${first + 2}))
        and p.type <> all(${noticeTypesSql})`
}
