export const postmarkKey = 'posthorn:wait for the second signal'

let bounces = 0

/** A bounce in the format of Postmark's webhooks. */
export function postmarkBounce(type: string, given: object = {}): object {
  return {
    RecordType: 'Bounce',
    ID: 692_560_000 + ++bounces,
    Type: type,
    TypeCode: 1,
    Name: 'Hard bounce',
    Tag: 'receipt',
    MessageID: '5c1b6a50-2f53-4f5e-9f6e-0d8a7a3f1b77',
    ServerID: 118_204,
    MessageStream: 'outbound',
    Description: 'The server was unable to deliver your message (ex: unknown user, mailbox not found).',
    Details: 'smtp;550 5.1.1 <ann@example.org>: Recipient address rejected: User unknown',
    Email: 'ann@example.org',
    From: 'shop@shop.test',
    BouncedAt: '2026-11-21T05:00:01.1234567+01:00',
    DumpAvailable: true,
    Inactive: true,
    CanActivate: true,
    Subject: 'Your receipt',
    Metadata: { posthorn_email_id: 'order-77' },
    ...given,
  }
}

/** An event that is no bounce. */
export function postmarkEvent(kind: string, given: object = {}): object {
  return {
    RecordType: kind,
    MessageID: '5c1b6a50-2f53-4f5e-9f6e-0d8a7a3f1b77',
    ServerID: 118_204,
    MessageStream: 'outbound',
    Recipient: 'ann@example.org',
    Tag: 'receipt',
    Metadata: { posthorn_email_id: 'order-77' },
    ...given,
  }
}

export const postmarkDelivery = {
  DeliveredAt: '2026-11-21T04:00:01Z',
  Details: 'smtp;250 2.0.0 Ok: queued as 4XyZt12abcz',
}

/** What Postmark sends if its URL contains this user and password. */
export function postmarkHeaders(credential = postmarkKey): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(credential).toString('base64')}` }
}
