/** How far a delivery has come. `failed`: not yet delivered and still tried. */
export const deliveryStates = ['pending', 'failed', 'delivered', 'exhausted'] as const

export type DeliveryState = (typeof deliveryStates)[number]

/** Why a delivery was given up. */
export const exhaustedReasons = [
  'retries_used',
  'endpoint_gone',
  'endpoint_deleted',
  'erased',
  'expired',
  'process_lost',
] as const

export type ExhaustedReason = (typeof exhaustedReasons)[number]
