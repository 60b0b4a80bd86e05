import { exampleAttempt, exampleDelivery } from './delivery.ts'
import type { Examples } from './example.ts'

const page = { data: [exampleDelivery], next_cursor: null }

export const deliveryExamples = {
  listDeliveries: { query: { state: 'failed,exhausted', limit: '20' }, answer: page },
  searchDeliveries: { query: { error_code: 'status_not_2xx', since: '2026-11-20T00:00:00Z' }, answer: page },
  getDelivery: {
    answer: {
      ...exampleDelivery,
      waiting_for: { ...exampleDelivery.waiting_for, ahead: 0 },
      attempts: [exampleAttempt],
    },
  },
  retryDelivery: {
    answer: {
      ...exampleDelivery,
      state: 'pending',
      next_attempt_at: null,
      waiting_for: { reason: 'rate_limit', ahead: 12, estimated_at: '2026-11-21T04:00:43.000Z' },
    },
  },
} satisfies Partial<Examples>
