import type { Examples } from './example.ts'
import { exampleIds } from './example-ids.ts'

const account = {
  id: exampleIds.acct,
  name: 'Acme',
  max_endpoints: 10,
  endpoint_count: 1,
  messages_per_hour: null,
  messages_this_hour: 0,
  messages_per_day: 50_000,
  messages_this_day: 0,
  suspended_at: null,
  suspended_reason: null,
  send_traceparent: false,
  created_at: '2026-11-20T09:30:00.000Z',
}

export const accountExamples = {
  createAccount: {
    body: { name: 'Acme', max_endpoints: 10, messages_per_day: 50_000 },
    answer: { ...account, endpoint_count: 0 },
  },
  listAccounts: { query: { limit: '2' }, answer: { data: [account], next_cursor: null } },
  getAccount: { answer: account },
  updateAccount: { body: { max_endpoints: 25 }, answer: { ...account, max_endpoints: 25 } },
  deleteAccount: {},
  getSendingLimits: {
    answer: {
      messages_per_hour: null,
      messages_this_hour: 12,
      messages_per_day: 50_000,
      messages_this_day: 31_204,
      suspended_at: null,
      suspended_reason: null,
      hour_ends_at: '2026-11-20T10:00:00.000Z',
      day_ends_at: '2026-11-21T00:00:00.000Z',
    },
  },
} satisfies Partial<Examples>
