import type { LeasedDelivery } from '../../src/domain/leased-delivery.ts'

/** A delivery before its first attempt. */
export function someDelivery(
  accountId: string,
  endpointId: string,
  facts: Partial<LeasedDelivery> = {},
): LeasedDelivery {
  return {
    accountId,
    endpointId,
    deliveryId: '',
    eventId: '',
    endpointVersion: 1,
    endpointFailing: false,
    endpointLimited: false,
    sequence: 1,
    process: 1,
    claim: 1,
    lostClaims: 0,
    attemptCount: 0,
    retriesUsed: 0,
    trigger: 'schedule',
    wasDelivered: false,
    goesFirst: false,
    body: new Uint8Array(),
    traceparent: null,
    startByMs: 0,
    ...facts,
  }
}
