import { randomBytes } from 'node:crypto'
import { sampleEvent } from '@posthorn/contract'
import { makeSigningSecret } from '../domain/signing-secret.ts'
import { forwardDelivery } from './forward-delivery.ts'

/** Whether the receiver rejects a delivery with an unknown secret; null if it does not answer. */
export async function receiverRefusesForgery(target: string, stop: AbortSignal): Promise<boolean | null> {
  const sample = sampleEvent('email.delivered')
  const event = {
    id: 'evt_00000000000000000000000000',
    type: sample.type,
    data: { ...sample.data, email_id: 'em_test_forged', to: ['forged@posthorn.invalid'] },
    created_at: new Date().toISOString(),
    erased_at: null,
  }
  const delivery = { id: 'dlv_00000000000000000000000000', sequence: 0, attempt_count: 0 }
  const { status } = await forwardDelivery(target, makeSigningSecret(randomBytes), delivery, event, stop)
  return status === null ? null : status < 200 || status > 299
}
