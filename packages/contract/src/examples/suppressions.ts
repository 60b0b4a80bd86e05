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
  countSuppressions: {
    answer: { by_reason: { bounce: 1000, domain_bounce: 12, complaint: 3, unsubscribe: 418, manual: 0 } },
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
  importSuppressions: {
    body: 'address,scope,list\r\nann@example.org,list,news\r\nno address,,\r\n',
    answer: {
      lines: 2,
      added: 1,
      unchanged: 0,
      rejected: 1,
      rejections: [{ line: 3, reason: 'address is not an email address.' }],
    },
  },
  exportSuppressions: {},
  liftSuppression: {},
} satisfies Partial<Examples>
