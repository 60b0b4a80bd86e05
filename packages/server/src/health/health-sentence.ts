import type { healthWarningCodes } from '@posthorn/contract'

type HealthCode = (typeof healthWarningCodes)[number] | 'recovered'

/** What each finding means and what to do about it, for people. */
export const healthSentence: Readonly<Record<HealthCode, string>> = {
  delivery_exhausted:
    'A delivery has used up its retries and is given up. Mend the receiver, then retry or replay what is exhausted.',
  failing_half_time:
    'Every attempt has failed for half of the time after which the endpoint is disabled. Its attempts tell why.',
  disabled_failing:
    'Every attempt failed for too long, so the endpoint was disabled. What waits is kept; mend the receiver and enable it.',
  disabled_gone:
    'The receiver answered 410 Gone, so the endpoint was disabled. Enable it if the receiver is to be used again, or delete it.',
  waiting_expires:
    'Deliveries that wait for this endpoint will be dropped with their day in less than three days. Mend or enable it soon.',
  certificate_expires_soon:
    'The certificate of your server ends in less than 14 days. Renew it, or its deliveries will fail.',
  recovered: 'The endpoint acknowledges events again.',
}
