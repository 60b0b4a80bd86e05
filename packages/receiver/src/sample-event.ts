import type { Envelope, EventMap } from './events.ts'

const AT = '2026-01-02T03:04:05.678Z'

const SAMPLES: { readonly [K in keyof EventMap]: EventMap[K] } = {
  'email.delivered': {
    email_id: 'em_test_delivered',
    to: ['ann@example.org'],
    occurred_at: AT,
    subject: 'Your receipt',
    remote_mta: { name: 'mx1.example.org', ip: '192.0.2.7' },
    smtp_response: { code: 250, enhanced_code: '2.0.0', message: 'Ok: queued', command: '.' },
    attempts: 1,
  },
  'email.bounced': {
    email_id: 'em_test_bounced',
    to: ['nobody@example.org'],
    occurred_at: AT,
    recipient: 'nobody@example.org',
    bounce: {
      type: 'permanent',
      category: 'invalid_recipient',
      message: 'The mailbox does not exist.',
      timing: 'synchronous',
      evidence: 'enhanced_status_code',
    },
    smtp_response: { code: 550, enhanced_code: '5.1.1', message: 'User unknown', command: 'RCPT TO' },
  },
  'email.failed': {
    email_id: 'em_test_failed',
    to: ['ann@example.org'],
    occurred_at: AT,
    scope: 'recipient',
    failure: {
      category: 'policy',
      reason: 'authentication_failed',
      message: 'The receiving server did not accept the authentication of the sender.',
      retryable: false,
      expired: false,
    },
  },
  'email.unsubscribed': {
    email_id: 'em_test_unsubscribed',
    to: ['ann@example.org'],
    occurred_at: AT,
    recipient: 'ann@example.org',
    unsubscribe: { source: 'one_click', scope: { type: 'all' } },
  },
  'email.complained': {
    email_id: 'em_test_complained',
    to: ['ann@example.org'],
    occurred_at: AT,
    recipient: 'ann@example.org',
    complaint: { feedback_type: 'abuse' },
  },
  'email.deferred': {
    email_id: 'em_test_deferred',
    to: ['ann@example.org'],
    occurred_at: AT,
    recipient: 'ann@example.org',
    deferral: { category: 'infrastructure', reason: 'mailbox_full', message: 'The mailbox is full.' },
    smtp_response: { code: 452, enhanced_code: '4.2.2', message: 'Mailbox full', command: 'RCPT TO' },
    attempts: 1,
  },
  'email.suppressed': {
    email_id: 'em_test_suppressed',
    to: ['ann@example.org'],
    occurred_at: AT,
    suppression: { reason: 'complaint', since: AT },
  },
}

let made = 0

/**
 * A sample event of a type, with a unique id. `overrides` replaces fields of the envelope.
 *
 * @example
 * const event = sampleEvent('email.bounced', { id: 'evt_test_1' })
 */
export function sampleEvent<K extends keyof EventMap>(
  type: K,
  overrides: Partial<Omit<Envelope<K, EventMap[K]>, 'type'>> = {},
): Envelope<K, EventMap[K]> {
  made += 1
  return { id: `evt_test_${made}`, type, data: structuredClone(SAMPLES[type]), created_at: AT, ...overrides }
}
