import type { Delivery, ExhaustedReason, Webhook } from '@posthorn/contract'

const neverAgain: readonly (ExhaustedReason | null)[] = ['endpoint_deleted', 'erased', 'expired']

/** Whether a retry makes sense: the body and the endpoint exist, and no attempt is due. */
export function mayRetry(delivery: Delivery, endpoint: Webhook | undefined): boolean {
  if (endpoint === undefined || neverAgain.includes(delivery.reason)) return false
  return delivery.state !== 'pending' || endpoint.status === 'disabled'
}
