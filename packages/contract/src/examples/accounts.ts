import type { Examples } from './example.ts'
import { exampleIds } from './example-ids.ts'

const account = {
  id: exampleIds.acct,
  name: 'Acme',
  max_endpoints: 10,
  endpoint_count: 1,
  messages_per_hour: null,
  messages_per_day: 50_000,
  suspended_at: null,
  suspended_reason: null,
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
} satisfies Partial<Examples>
