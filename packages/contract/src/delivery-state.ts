/** The state of a delivery. `failed`: an attempt failed and a retry is due. */
export const deliveryStates = ['pending', 'failed', 'delivered', 'exhausted'] as const

export type DeliveryState = (typeof deliveryStates)[number]

/** Why Posthorn gave up a delivery. */
export const exhaustedReasons = [
  'retries_used',
  'endpoint_gone',
  'endpoint_deleted',
  'erased',
  'expired',
  'process_lost',
] as const

export type ExhaustedReason = (typeof exhaustedReasons)[number]
