import type { Delivery, ExhaustedReason, Webhook } from '@posthorn/contract'

const neverAgain: readonly (ExhaustedReason | null)[] = ['endpoint_deleted', 'erased', 'expired']

/** Whether it makes sense to send it once more: there is something to send, somewhere to send it, and no try is due. */
export function mayRetry(delivery: Delivery, endpoint: Webhook | undefined): boolean {
  if (endpoint === undefined || neverAgain.includes(delivery.reason)) return false
  return delivery.state !== 'pending' || endpoint.status === 'disabled'
}
