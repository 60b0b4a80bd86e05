import type { Examples } from './example.ts'
import { exampleIds } from './example-ids.ts'
import { exampleSecret } from './example-secret.ts'

const webhook = {
  id: exampleIds.wh,
  url: 'https://hooks.example.com/mail',
  events: ['email.delivered' as const, 'email.bounced' as const],
  description: 'Production',
  status: 'enabled' as const,
  disabled_reason: null,
  secret_prefix: exampleSecret.slice(0, 10),
  headers: { 'X-Environment': '***' },
  rate_limit_per_second: 50,
  standard_webhooks: false,
  retry_base_seconds: null,
  retry_cap_seconds: null,
  attempt_timeout_seconds: null,
  client_certificate: null,
  tags: [],
  sending_domains: [],
  created_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-20T10:00:00.000Z',
}

const health = {
  webhook_id: exampleIds.wh,
  state: 'healthy' as const,
  status: 'enabled' as const,
  disabled_reason: null,
  failures_in_row: 0,
  failing_since: null,
  last_error_code: null,
  disables_at: null,
  last_attempt_at: '2026-11-21T04:00:02.310Z',
  last_success_at: '2026-11-21T04:00:02.310Z',
  last_failure_at: '2026-11-20T21:14:40.007Z',
  usual_per_day: 1240.5,
  hours: [{ at: '2026-11-21T04:00:00.000Z', delivered: 52, failed: 0 }],
  last_hour: { until: '2026-11-21T03:59:00.000Z', delivered: 52, failed: 0 },
  last_day: { delivered: 1238, failed: 3, p50_ms: 38, p95_ms: 120 },
  waiting_count: 1,
  drain_seconds: 1,
  oldest_waiting: {
    delivery_id: exampleIds.dlv,
    event_id: exampleIds.evt,
    since: '2026-11-21T04:00:01.120Z',
  },
  last_due_at: '2026-11-21T04:00:01.120Z',
  expired: 0,
  gone: 0,
  gone_since: null,
  certificate_expires_at: '2027-02-01T00:00:00.000Z',
  warnings: [],
}

export const webhookExamples = {
  createWebhook: {
    body: {
      url: 'https://hooks.example.com/mail',
      events: ['email.delivered', 'email.bounced'],
      description: 'Production',
      headers: { 'X-Environment': 'production' },
      rate_limit_per_second: 50,
    },
    answer: { ...webhook, secret: exampleSecret },
  },
  listWebhooks: { query: { limit: '50' }, answer: { data: [webhook], next_cursor: null } },
  getWebhook: { answer: webhook },
  getWebhookHealth: { answer: health },
  listWebhookHealth: { query: { limit: '50' }, answer: { data: [health], next_cursor: null } },
  updateWebhook: {
    body: { events: ['email.bounced', 'email.failed'], headers: { 'X-Environment': null } },
    answer: {
      ...webhook,
      events: ['email.bounced', 'email.failed'],
      headers: {},
      updated_at: '2026-11-21T08:00:00.000Z',
    },
  },
  permitLoopback: {
    body: { url: 'http://127.0.0.1:8080/webhooks' },
    answer: { webhook_id: exampleIds.wh, url: 'http://127.0.0.1:8080/webhooks' },
  },
  deleteWebhook: {},
} satisfies Partial<Examples>
