import { emailBouncedSample } from '../events/email-bounced.ts'
import { emailDeliveredSample } from '../events/email-delivered.ts'
import { sampleEvent } from '../event-catalogue.ts'
import { exampleDelivery } from './delivery.ts'
import type { Examples } from './example.ts'
import { exampleIds } from './example-ids.ts'

const event = {
  id: exampleIds.evt,
  type: 'email.bounced' as const,
  data: emailBouncedSample,
  created_at: '2026-11-21T04:00:01.120Z',
  erased_at: null,
}

export const eventExamples = {
  reportOutcomes: {
    body: [
      {
        type: 'email.delivered',
        data: { email_id: emailDeliveredSample.email_id, to: ['ann@example.org'] },
        outcome_id: 'mta-1-4F7C2A',
      },
      {
        email_id: 'order-1234',
        recipient: 'ben@example.org',
        reply: { text: '550 5.1.1 <ben@example.org>: Recipient address rejected: User unknown' },
        outcome_id: 'mta-1-4F7C2B',
      },
    ],
    answer: {
      accepted: 2,
      events: [exampleIds.evt, 'evt_01kaf8j6g0e8xr4c3rgr5qd3mt'],
      ignored: [],
    },
  },
  listEvents: {
    query: { type: 'email.bounced,email.failed', limit: '20' },
    answer: { data: [event], next_cursor: null },
  },
  getEvent: { answer: { ...event, deliveries: [exampleDelivery] } },
  listEventTypes: {
    query: { limit: '1' },
    answer: {
      data: [
        {
          type: 'email.delivered',
          description: 'The recipient’s mail server accepted the email.',
          schema: { type: 'object' },
          opt_in: false,
          sample: sampleEvent('email.delivered'),
        },
      ],
      next_cursor: 'ZW1haWwuZGVsaXZlcmVk',
    },
  },
} satisfies Partial<Examples>
