import type { Examples } from './example.ts'
import { exampleIds } from './example-ids.ts'

const operator = {
  id: exampleIds.opr,
  name: 'ann@example.com',
  role: 'view' as const,
  created_at: '2026-11-20T09:31:00.000Z',
  expires_at: '2027-11-20T00:00:00.000Z',
  last_used_at: null,
}

export const operatorExamples = {
  createOperator: {
    body: { name: 'ann@example.com', role: 'view', expires_at: '2027-11-20T00:00:00Z' },
    answer: { ...operator, token: 'pha_ThisIsAnExampleAndOpensNothing' },
  },
  listOperators: {
    query: { limit: '50' },
    answer: { data: [{ ...operator, last_used_at: '2026-11-21T04:00:00.000Z' }], next_cursor: null },
  },
  removeOperator: {},
} satisfies Partial<Examples>
