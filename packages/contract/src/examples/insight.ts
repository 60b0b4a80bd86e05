import type { Examples } from './example.ts'
import { exampleIds } from './example-ids.ts'

const counts = {
  delivered: 52,
  failed: 1,
  exhausted: 0,
  by_error: { response_timeout: 1 },
  p50_ms: 38,
  p95_ms: 120,
  p99_ms: 1_900,
}

const outcomes = { delivered: 50, bounced: 1, failed: 1, unsubscribed: 1, complaints: 0 }

export const insightExamples = {
  listAuditLog: {
    query: { action: 'webhook.updated,signing_key.promoted', limit: '20' },
    answer: {
      data: [
        {
          id: exampleIds.aud,
          at: '2026-11-21T08:00:00.000Z',
          actor: {
            kind: 'api_key',
            api_key_id: exampleIds.key,
            portal_session_id: null,
            operator: null,
          },
          action: 'webhook.updated',
          target: exampleIds.wh,
          before: { events: ['email.delivered', 'email.bounced'] },
          after: { events: ['email.bounced', 'email.failed'] },
          request_id: '6f0e4d0e-5d6a-4c53-9d0e-0a8f3f0f9a1b',
        },
      ],
      next_cursor: null,
    },
  },
  getStats: {
    query: { since: '2026-11-21T04:00:00Z', until: '2026-11-21T05:00:00Z', bucket: '1h' },
    answer: {
      since: '2026-11-21T04:00:00.000Z',
      until: '2026-11-21T05:00:00.000Z',
      bucket: '1h',
      recorded_since: '2026-11-20T10:00:00.000Z',
      total: counts,
      outcomes: {
        total: outcomes,
        bounced_by_category: { invalid_recipient: 1 },
        failed_by_reason: { ip_blocked: 1 },
        unsubscribed_by_source: { one_click: 1 },
        domains: [
          { domain: 'example.org', delivered: 48, bounced: 1, failed: 1, unsubscribed: 1, complaints: 0 },
          { domain: null, delivered: 2, bounced: 0, failed: 0, unsubscribed: 0, complaints: 0 },
        ],
        recorded_since: '2026-11-20T10:00:00.000Z',
      },
      thresholds: {
        bounce_rate: { warning: 0.02, risk: 0.05 },
        complaint_rate: { warning: 0.0008, risk: 0.001 },
      },
      data: [{ at: '2026-11-21T04:00:00.000Z', ...counts, outcomes }],
    },
  },
} satisfies Partial<Examples>
