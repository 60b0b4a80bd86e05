import type { Examples } from './example.ts'
import { exampleIds } from './example-ids.ts'

const reply = {
  code: 250,
  enhanced_code: '2.0.0',
  message: 'OK queued as 4F7C2A',
  command: '.',
  remote_mta: { name: 'mx1.example.org', ip: '192.0.2.7' },
}

const email = {
  id: exampleIds.em,
  from: 'Acme <no-reply@acme.example>',
  to: ['ann@example.org'],
  cc: [],
  bcc: [],
  subject: 'Your receipt',
  message_id: 'a1@acme.example',
  tags: { kind: 'receipt' },
  metadata: { order_id: 1234 },
  unsubscribe: null,
  states: { queued: 0, handed_over: 0, delivered: 1, bounced: 0, failed: 0 },
  latest_event: { id: exampleIds.evt, type: 'email.delivered' as const, reason: null, reply },
  created_at: '2026-11-21T04:00:00.000Z',
  erased_at: null,
}

export const emailExamples = {
  createEmail: {
    body: {
      from: 'Acme <no-reply@acme.example>',
      to: ['Ann <ann@example.org>'],
      subject: 'Your receipt',
      text: "Thank you for your order 1234. It's on its way.",
      tags: { kind: 'receipt' },
      metadata: { order_id: 1234 },
    },
    answer: { email_id: exampleIds.em, created_at: '2026-11-21T04:00:00.000Z' },
  },
  listEmails: {
    query: { recipient: 'ann@example.org', limit: '20' },
    answer: { data: [email], next_cursor: null },
  },
  findAddresses: {
    query: { prefix: 'ann@' },
    answer: { data: [{ address: 'ann@example.org', found_in: ['emails', 'suppressions'] }], has_more: false },
  },
  getEmail: {
    answer: {
      ...email,
      recipients: [
        {
          address: 'ann@example.org',
          field: 'to',
          state: 'delivered',
          outcome_expected: false,
          reply,
          event_id: exampleIds.evt,
          tries: null,
          next_try_at: null,
          updated_at: '2026-11-21T04:00:01.120Z',
        },
      ],
    },
  },
} satisfies Partial<Examples>
