import type { Examples } from './example.ts'
import { exampleIds } from './example-ids.ts'

const maintenance = {
  state: 'running' as const,
  reason: null,
  database_clock: '2026-11-21T09:00:00.000Z',
  last_trusted_at: '2026-11-21T08:59:58.000Z',
}

export const systemExamples = {
  getSystem: {
    answer: {
      version: '0.1.0',
      node_version: '24.19.0',
      database: { kind: 'postgresql', version: '18.4', size_bytes: 48_300_000 },
      schema_version: 1,
      started_at: '2026-11-20T09:00:00.000Z',
      processes: [
        {
          id: '1',
          host: 'mail-1',
          role: 'all',
          version: '0.1.0',
          started_at: '2026-11-20T09:00:00.000Z',
          last_seen_at: '2026-11-21T08:59:59.500Z',
        },
      ],
      partitions: [
        { table: 'event', day: '2026-11-21', is_empty: false, size_bytes: 1_200_000, rows_estimate: 2400 },
      ],
      mail_sources: [{ kind: 'postfix', last_at: '2026-11-21T08:59:10.000Z' }],
      provider_sources: [
        {
          id: exampleIds.src,
          kind: 'mailgun',
          account_id: exampleIds.acct,
          account_name: 'Acme',
          created_at: '2026-11-20T09:31:00.000Z',
          last_at: '2026-11-21T04:00:00.000Z',
          event_count: 12,
          ignored_count: 3,
          refused_count: 0,
        },
      ],
      retention_days: 30,
      maintenance,
      settings: [{ name: 'POSTHORN_PORT', value: '4100', source: 'default' }],
    },
  },
  getSystemHealth: {
    answer: {
      accepted_per_second: 12.5,
      delivered_per_second: 24.8,
      failed_per_second: 0.2,
      in_flight: 3,
      held: 0,
      unsettled: 1,
      waiting: 42,
      oldest_due_seconds: 0.3,
      mail: {
        waiting: 12,
        oldest_seconds: 95,
        last_reply: '451 4.3.0 Queue file write error',
        message:
          'The mail server has not taken the email to 12 recipients, the oldest for 95 s. Its last reply: “451 4.3.0 Queue file write error”.',
        certificate_expires_at: '2027-02-19T00:00:00.000Z',
      },
      database_ms: 0.9,
      clock_skew_ms: 2,
      maintenance,
      disabled_endpoints: 1,
      failing_endpoints: 1,
      worst: [
        {
          account_id: exampleIds.acct,
          account_name: 'Acme',
          webhook_id: exampleIds.wh,
          url_host: 'hooks.example.com',
          state: 'failing',
          failing_since: '2026-11-21T04:00:01.350Z',
          waiting: 40,
          last_error_code: 'status_not_2xx',
        },
      ],
    },
  },
  confirmClock: { answer: { confirmed_at: '2026-11-21T09:00:00.000Z' } },
  getHealth: { answer: { status: 'ok' } },
  getReadiness: { answer: { status: 'ready' } },
  getMetrics: {},
  getBackup: {},
  getOpenApi: { answer: { openapi: '3.1.1' } },
} satisfies Partial<Examples>
