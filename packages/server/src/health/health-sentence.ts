import type { healthWarningCodes } from '@posthorn/contract'

type HealthCode = (typeof healthWarningCodes)[number] | 'recovered'

/** What each warning means and what to do. */
export const healthSentence: Readonly<Record<Exclude<HealthCode, 'disabled_gone'>, string>> = {
  delivery_exhausted:
    'A delivery has no retries left, so Posthorn gave it up. Fix the receiver, then retry or replay the exhausted deliveries.',
  failing_half_time:
    'Every attempt has failed for half of the time after which Posthorn disables the endpoint. Its attempts show the reason.',
  disabled_failing:
    'Every attempt failed for too long, so Posthorn disabled the endpoint. Its deliveries wait. Fix the receiver, then enable the endpoint.',
  waiting_expires:
    'Posthorn will delete waiting deliveries of this endpoint in less than three days. Fix or enable the endpoint soon.',
  certificate_expires_soon:
    'The certificate of your server expires in less than 14 days. Renew it, or deliveries will fail.',
  client_certificate_expires_soon:
    'The client certificate of the endpoint expires in less than 14 days. Set a new one, or your server will refuse deliveries.',
  recovered: 'The endpoint acknowledges events again.',
}

/** The same for an endpoint whose receiver answered 410. */
export function disabledGone(deliveries: number): string {
  const givenUp = deliveries === 1 ? '1 delivery' : `${deliveries} deliveries`
  return `The receiver answered 410 Gone, so Posthorn disabled the endpoint and gave up ${givenUp}. Others wait. To use the endpoint again, enable it and replay the \`exhausted\` deliveries. Otherwise, delete it.`
}
