import { createHmac, randomBytes } from 'node:crypto'

const key = randomBytes(24)
export const resendKey = `whsec_${key.toString('base64')}`

/** An event in the format of Resend's webhooks. */
export function resendEvent(type: string, given: object = {}): object {
  return {
    type,
    created_at: '2026-11-21T04:00:01.250Z',
    data: {
      created_at: '2026-11-21T03:59:59.000Z',
      email_id: '0f7b2c64-9a51-4d83-bb1e-2f4a6c8e0d11',
      message_id: '<0100019a-7c-receipt@email.shop.test>',
      from: 'Shop <shop@shop.test>',
      to: ['ann@example.org'],
      subject: 'Your receipt',
      tags: { posthorn_email_id: 'order-77' },
      ...given,
    },
  }
}

export interface ResendRequest {
  /** The id of the event; a new one by default. */
  readonly id?: string
  /** The names of Svix, which Resend uses, or those of Standard Webhooks. */
  readonly prefix?: 'svix' | 'webhook'
  /** Whether another key signs it. */
  readonly isForged?: boolean
}

export function resendHeaders(
  body: Uint8Array,
  nowMs: number,
  { id = `msg_${randomBytes(12).toString('hex')}`, prefix = 'svix', isForged = false }: ResendRequest = {},
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1_000))
  const signature = createHmac('sha256', isForged ? 'another key' : key)
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest('base64')
  return {
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: timestamp,
    [`${prefix}-signature`]: `v1a,not+of+this+kind v1,${signature}`,
  }
}
