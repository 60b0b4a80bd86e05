import type { healthWarningCodes } from '@posthorn/contract'

type HealthCode = (typeof healthWarningCodes)[number] | 'recovered'

/** What each finding means and what to do about it, for people. */
export const healthSentence: Readonly<Record<Exclude<HealthCode, 'disabled_gone'>, string>> = {
  delivery_exhausted:
    'A delivery has used up its retries and is given up. Mend the receiver, then retry or replay what is exhausted.',
  failing_half_time:
    'Every attempt has failed for half of the time after which the endpoint is disabled. Its attempts tell why.',
  disabled_failing:
    'Every attempt failed for too long, so the endpoint was disabled. What waits is kept; mend the receiver and enable it.',
  waiting_expires:
    'Deliveries that wait for this endpoint will be dropped with their day in less than three days. Mend or enable it soon.',
  certificate_expires_soon:
    'The certificate of your server ends in less than 14 days. Renew it, or its deliveries will fail.',
  recovered: 'The endpoint acknowledges events again.',
}

/** The same of an endpoint whose receiver answered 410, to so many deliveries. */
export function disabledGone(deliveries: number): string {
  const givenUp = deliveries === 1 ? '1 delivery was given up' : `${deliveries} deliveries were given up`
  return `The receiver answered 410 Gone, so the endpoint was disabled and ${givenUp}; the others wait. If the receiver is to be used again, enable the endpoint and replay what is \`exhausted\`. Else delete it.`
}
