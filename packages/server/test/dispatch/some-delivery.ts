import type { TakenDelivery } from '../../src/domain/taken-delivery.ts'

/** A delivery for its first attempt, of which nobody has asked anything yet. */
export function someDelivery(accountId: string, endpointId: string): TakenDelivery {
  return {
    accountId,
    endpointId,
    deliveryId: '',
    eventId: '',
    endpointVersion: 1,
    endpointFailing: false,
    endpointPaced: false,
    sequence: 1,
    claim: 1,
    hold: null,
    lostClaims: 0,
    attemptCount: 0,
    retriesUsed: 0,
    trigger: 'schedule',
    wasDelivered: false,
    body: new Uint8Array(),
    startByMs: 0,
  }
}
