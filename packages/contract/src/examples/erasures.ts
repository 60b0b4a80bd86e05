import type { Examples } from './example.ts'
import { exampleIds } from './example-ids.ts'

const erasure = {
  id: exampleIds.era,
  state: 'running' as const,
  events: 0,
  deliveries: 0,
  attempts: 0,
  created_at: '2026-11-21T09:00:00.000Z',
  finished_at: null,
}

export const erasureExamples = {
  createErasure: { body: { recipient: 'ann@example.org' }, answer: erasure },
  getErasure: {
    answer: {
      ...erasure,
      state: 'done',
      events: 14,
      deliveries: 28,
      attempts: 31,
      finished_at: '2026-11-21T09:00:01.400Z',
    },
  },
} satisfies Partial<Examples>
