import type { Examples } from './example.ts'
import { exampleIds } from './example-ids.ts'

const suppression = {
  id: exampleIds.sup,
  state: 'active' as const,
  address: 'ann@example.org',
  reason: 'bounce' as const,
  scope: { type: 'all_mail' as const, id: null },
  email_id: exampleIds.em,
  event_id: exampleIds.evt,
  created_at: '2026-11-21T04:00:01.120Z',
  lapses_at: null,
  lifted_at: null,
}

export const suppressionExamples = {
  listSuppressions: {
    query: { reason: 'bounce,complaint', limit: '50' },
    answer: { data: [suppression], next_cursor: null },
  },
  createSuppression: {
    body: { address: 'ben@example.org', scope: { type: 'list', id: 'newsletter' } },
    answer: {
      ...suppression,
      address: 'ben@example.org',
      reason: 'manual',
      scope: { type: 'list', id: 'newsletter' },
      email_id: null,
      event_id: null,
    },
  },
  liftSuppression: {},
} satisfies Partial<Examples>
