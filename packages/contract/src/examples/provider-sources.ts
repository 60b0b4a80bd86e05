import type { Examples } from './example.ts'
import { exampleIds } from './example-ids.ts'

const source = {
  id: exampleIds.src,
  kind: 'mailgun' as const,
  created_at: '2026-11-20T09:31:00.000Z',
  last_at: null,
  event_count: 0,
  ignored_count: 0,
  refused_count: 0,
}

export const providerSourceExamples = {
  createProviderSource: {
    body: { kind: 'mailgun' as const, key: 'this-is-an-example-and-signs-nothing' },
    answer: {
      ...source,
      report_url:
        'https://posthorn.example.com/v1/sources/mailgun?token=phr_ThisIsAnExampleAndOpensNothing00000000000000',
    },
  },
  listProviderSources: {
    query: { limit: '50' },
    answer: {
      data: [{ ...source, last_at: '2026-11-21T04:00:00.000Z', event_count: 12, ignored_count: 3 }],
      next_cursor: null,
    },
  },
  deleteProviderSource: {},
} satisfies Partial<Examples>
