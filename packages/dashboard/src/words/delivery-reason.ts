import type { Delivery, ExhaustedReason } from '@posthorn/contract'
import { attemptErrorTexts } from '@posthorn/contract/plain'
import { formatDuration } from '../format/numbers.ts'

/**
 * The reason for a delivery's state, for a table cell: `200 in 84 ms`, `500 from your server`, `Certificate
 * expired`.
 */
export function deliveryReason(delivery: Delivery): string {
  const { state, reason, attempt_count: tries } = delivery
  if (state === 'exhausted' && reason !== null && reason !== 'retries_used') return givenUp[reason]
  if (tries === 0) return 'Not sent yet'
  return lastAnswer(delivery)
}

function lastAnswer({ state, ...last }: Delivery): string {
  const { last_status_code: status, last_error_code: code, last_duration_ms: ms } = last
  const isGood = status !== null && status < 300
  if (isGood && state === 'delivered') return `${status} in ${formatDuration(ms)}`
  if (code === 'status_not_2xx' && status !== null) return `${status} from your server`
  if (code !== null) return attemptErrorTexts[code].label
  return state === 'delivered' ? 'Delivered' : 'Delivered before'
}

const givenUp: Record<Exclude<ExhaustedReason, 'retries_used'>, string> = {
  endpoint_gone: '410 (gone)',
  endpoint_deleted: 'Endpoint deleted',
  erased: 'Recipient erased',
  expired: 'Too old',
  process_lost: 'Failed on our side',
}

/** How many attempts were made of how many at most: `7 of 13`. */
export function triesWords({ state, attempt_count: made, retries_left: left }: Delivery): string {
  // a pending delivery has an attempt to come that is not a retry
  const most = made + left + (state === 'pending' ? 1 : 0)
  return `${made} of ${most}`
}
