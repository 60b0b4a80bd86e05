import type { Examples } from './example.ts'
import { exampleIds } from './example-ids.ts'

const phases = { dns_ms: 4, connect_ms: 11, tls_ms: 18, first_byte_ms: 37 }

export const trialExamples = {
  sendTestEvent: {
    body: { type: 'email.bounced' },
    answer: { event_id: exampleIds.evt, delivery_id: exampleIds.dlv },
  },
  checkWebhook: {
    answer: {
      ok: false,
      verifies: false,
      phases,
      findings: [
        {
          code: 'accepts_wrong_signature',
          severity: 'critical',
          message:
            'Your server accepted a request with a wrong signature. Verify X-Service-Signature before you use the body.',
        },
      ],
    },
  },
  checkUrl: {
    body: { url: 'https://hooks.example.com/mail' },
    answer: {
      ok: true,
      addresses_found: true,
      connected: true,
      tls: { valid_until: '2027-02-01T00:00:00.000Z', issuer: 'Example CA' },
      status_code: 405,
      redirect_to: null,
      phases,
      findings: [],
    },
  },
} satisfies Partial<Examples>
