import type { Examples } from './example.ts'
import { exampleIds } from './example-ids.ts'

const replay = {
  id: exampleIds.rpl,
  webhook_id: exampleIds.wh,
  state: 'running' as const,
  total: 1200,
  done: 200,
  delivered: 190,
  failed_again: 2,
  pending: 8,
  seconds_left: 20,
  since: '2026-11-20T00:00:00.000Z',
  until: '2026-11-21T00:00:00.000Z',
  states: ['failed' as const, 'exhausted' as const],
  types: ['email.bounced' as const, 'email.failed' as const],
  created_at: '2026-11-21T09:00:00.000Z',
  finished_at: null,
}
const page = { data: [replay], next_cursor: null }

export const replayExamples = {
  createReplay: {
    body: { since: '2026-11-20T00:00:00Z', states: ['failed', 'exhausted'] },
    answer: { ...replay, done: 0, delivered: 0, failed_again: 0, pending: 0, seconds_left: 24 },
    dryRun: {
      body: { since: '2026-11-20T00:00:00Z', dry_run: true },
      answer: {
        dry_run: true,
        count: 1200,
        first: '2026-11-20T00:04:10.000Z',
        last: '2026-11-20T23:58:02.000Z',
        estimated_seconds: 24,
      },
    },
  },
  listReplays: { query: { limit: '20' }, answer: page },
  listAllReplays: { query: { limit: '20' }, answer: page },
  getReplay: { answer: replay },
  cancelReplay: {
    answer: { ...replay, state: 'cancelled', seconds_left: null, finished_at: '2026-11-21T09:00:05.000Z' },
  },
} satisfies Partial<Examples>
