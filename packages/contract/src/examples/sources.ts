import type { Examples } from './example.ts'
import { exampleIds } from './example-ids.ts'

const accepted = { accepted: 1, events: [exampleIds.evt], ignored: [] }

const message = [
  'From: Mail Delivery System <MAILER-DAEMON@mx1.example.org>',
  'To: bounces@bounces.acme.example',
  'Subject: Out of office',
  'Auto-Submitted: auto-replied',
  'Date: Sat, 21 Nov 2026 04:00:00 +0000',
  '',
  'I am back on Monday.',
  '',
].join('\r\n')

export const sourceExamples = {
  reportPostfix: {
    body: {
      records: [
        {
          line_id: 'mx-1:1048576:ann@example.org',
          email_id: 'order-1234',
          recipient: 'ann@example.org',
          disposition: 'accepted',
          status: '2.0.0',
          reply: '250 2.0.0 OK queued as 4F7C2A',
          relay: 'mx1.example.org[192.0.2.7]:25',
          occurred_at: '2026-11-21T04:00:00Z',
        },
      ],
    },
    answer: accepted,
  },
  reportKumomta: {
    query: { email_id: 'message_id' },
    body: {
      type: 'Delivery',
      id: '1d98076abbbc11ed940250ebf67f93bd',
      sender: 'shop@acme.example',
      recipient: 'ann@example.org',
      response: {
        code: 250,
        enhanced_code: { class: 2, subject: 0, detail: 0 },
        content: 'OK queued as 4F7C2A',
        command: '.',
      },
      peer_address: { name: 'mx1.example.org.', addr: '192.0.2.7' },
      timestamp: 1_795_233_600,
      num_attempts: 0,
      headers: { 'Message-ID': '<order-1234@acme.example>' },
    },
    answer: accepted,
  },
  reportMessage: {
    query: { recipient: 'bounces@bounces.acme.example' },
    body: message,
    answer: { accepted: 0, events: [], ignored: [{ index: 0, reason: 'unverified' }] },
  },
} satisfies Partial<Examples>
