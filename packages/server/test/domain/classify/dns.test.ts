import { describe, expect, test } from 'vitest'
import type { Classification } from '../../../src/domain/classify/classification.ts'
import { classify } from '../../../src/domain/classify/classify.ts'
import type { RawOutcome } from '../../../src/domain/classify/raw-outcome.ts'

/** Classifies a reply to a mail for ann@example.org. */
function judged(
  text: string,
  more: Partial<RawOutcome> & { status?: string | undefined; enhanced?: string } = {},
): Classification {
  const { status, enhanced, ...raw } = more
  return classify({
    disposition: 'permanent',
    recipientDomain: 'example.org',
    ...raw,
    reply: { text, reportedStatus: status, enhancedCode: enhanced },
  })
}

const bounced = { event: 'email.bounced', data: { bounce: { evidence: 'dns' } } }
const dnsFailure = {
  event: 'email.failed',
  reason: 'dns_failure',
  data: { failure: { category: 'infrastructure', retryable: true } },
}

/** Replies of several servers that name a missing host. */
const missing: ReadonlyArray<readonly [server: string, status: string, words: (host: string) => string]> = [
  [
    'Postfix',
    '5.4.4',
    host => `Host or domain name not found. Name service error for name=${host} type=A: Host not found`,
  ],
  [
    'Postfix in a bounce message',
    '5.4.4',
    host =>
      `X-Postfix; Host or domain name not found. Name service error\n    for name=${host}\n    type=MX: Host not found`,
  ],
  [
    'Sendmail',
    '5.1.2',
    host => `550 5.1.2 <ann@example.org>... Host unknown (Name server: ${host}.: host not found)`,
  ],
  [
    'Exchange',
    '5.4.310',
    host =>
      `smtp;550 5.4.310 DNS domain ${host} does not exist [Message=InfoDomainNonexistent] [LastAttemptedServerName=${host}] [MX7.frontend.example.com 2026-11-21]`,
  ],
  ['qmail', '5.0.0', host => `Sorry, I couldn't find any host named ${host}. (#5.1.2)`],
  [
    'a lookup that answered NXDOMAIN',
    '5.0.0',
    host =>
      `smtp; DNS Error: DNS type 'mx' lookup of ${host} responded with code NXDOMAIN Domain name not found: ${host} https://support.example.com/dns`,
  ],
  ['Node.js', '5.4.4', host => `queryMx ENOTFOUND ${host}`],
  ['Go', '5.4.4', host => `dial tcp: lookup ${host} on 192.0.2.53:53: no such host`],
]

describe.each(missing)('%s', (_server, status, words) => {
  test('a missing recipient domain is a bounce', () => {
    expect(judged(words('example.org'), { status })).toMatchObject({ ...bounced, reason: 'invalid_domain' })
    expect(judged(words('EXAMPLE.ORG'), { status })).toMatchObject(bounced)
  })

  test.each(['relay.example.net', 'mx1.example.org', 'example.net', 'mailstore'])(
    'another missing host proves nothing about the recipient: %s',
    host => {
      expect(judged(words(host), { status })).toMatchObject(dnsFailure)
    },
  )

  test('without the recipient’s domain, a missing host is not a bounce', () => {
    expect(judged(words('example.org'), { status, recipientDomain: undefined }).event).toBe('email.failed')
  })
})

test.each([
  ['unable to look up host relay.example.net: Name or service not known', undefined],
  ['unable to look up host example.org', undefined],
  ['unable to look up host mailstore: Name or service not known', undefined],
  ['all relevant MX records point to non-existent hosts', '5.0.0'],
  ['550 5.1.2 all relevant MX records point to non-existent hosts', '5.1.2'],
  ['Host not found', '5.0.0'],
  ['Relay host unknown', '5.4.4'],
])(
  'a failed lookup, or one that does not name the recipient’s domain, is not a bounce: %s',
  (text, status) => {
    expect(judged(text, { status })).toMatchObject(dnsFailure)
  },
)

test.each([
  'dns; example.org: MX 10 mail: Host not found',
  'dns; example.org: MX mail: Host not found',
  'dns; example.org (MX 10 mail): Host not found',
  'dns; example.org: mail (MX 10): Host not found',
  'example.org MX preference = 10, mail exchanger = mail: Host not found',
  'example.org. IN MX 10 mail. Host not found',
  'MX of example.org points to mail: Host not found',
  'example.org: mail: Name or service not known',
  'example.org: mx=mail: Host not found',
])('an MX host of one label is another host: %s', text => {
  expect(judged(text)).toMatchObject(dnsFailure)
  expect(judged(text, { status: '5.4.4' })).toMatchObject(dnsFailure)
})

test.each([
  'dns; example.org: Host not found',
  'dns; example.org: MX: Host not found',
  'DNS: example.org: Host not found',
  'MX lookup for example.org: Host not found',
  'MX record not found: Domain example.org does not exist',
  'MX records of example.org: Domain not found',
  'Error: type=MX name=example.org: Host not found',
])('a word next to the recipient’s domain is not taken for a host: %s', text => {
  expect(judged(text, { status: '5.4.4' })).toMatchObject(bounced)
})

test.each([
  'host mx.example.org[192.0.2.7] said: 550 5.1.2 Host or domain name not found: mailstore.internal.example (in reply to RCPT TO command)',
  'host mx.example.org[192.0.2.7] said: 550 5.1.2 unable to look up host mailstore (in reply to RCPT TO command)',
  'host mx.example.org[192.0.2.7] said: 550 5.1.10 Domain mailstore.internal.example does not accept mail (nullMX) (in reply to RCPT TO command)',
  'host mx.example.org[192.0.2.7] said: 550 5.4.4 Host or domain name not found. Name service error for name=mailstore.internal.example type=A: Host not found (in reply to end of DATA command)',
  'host mx.example.org[192.0.2.7] said: 550 Destination mailstore.internal.example not found (in reply to RCPT TO command)',
  'host mx.example.org[192.0.2.7] said: 550 unable to resolve address mailstore.internal.example (in reply to RCPT TO command)',
  'smtp; 550 5.1.1 Host mailstore.internal.example not found',
])('a receiver that reports its own back end proves no bounce: %s', text => {
  expect(judged(text)).toMatchObject({ event: 'email.failed' })
})

test('a code about the address still counts next to a host name', () => {
  const text =
    'host mx.example.org[192.0.2.7] said: 550 5.1.1 <ann@example.org>: User unknown in mail.example.org'
  expect(judged(text)).toMatchObject({ event: 'email.bounced', reason: 'invalid_recipient' })
  expect(judged('550 5.1.2 <ann@example.org>: Recipient address rejected: Domain not found')).toMatchObject({
    event: 'email.bounced',
    reason: 'invalid_domain',
  })
  expect(judged('550 5.1.2')).toMatchObject({ event: 'email.bounced', reason: 'invalid_domain' })
})

test.each([
  ['Domain example.org does not accept mail (nullMX)', '5.1.0'],
  ['smtp; 556 5.1.10 Domain example.org does not accept mail (nullMX)', '5.1.10'],
  ['<ann@example.org>: an MX or SRV record indicated no SMTP service', '5.0.0'],
])('a null MX of the recipient is a bounce: %s', (text, status) => {
  expect(judged(text, { status })).toMatchObject({ ...bounced, reason: 'domain_not_accepting_mail' })
})

test.each([
  ['Domain relay.example.net does not accept mail (nullMX)', '5.1.0'],
  ['smtp; 556 5.1.10 Domain relay.example.net does not accept mail (nullMX)', '5.1.10'],
])('a null MX of another host proves nothing: %s', (text, status) => {
  expect(judged(text, { status })).toMatchObject({ event: 'email.failed' })
})

test.each([
  ['550 Host unknown (Authoritative answer from name server)', undefined],
  ["<ann@example.org>: Sorry, I couldn't find a mail exchanger or IP address. (#5.4.4)", undefined],
  ['unknown; No such domain.', '5.0.0'],
  ['Domain does not exist', '5.0.0'],
  ['smtp; 550 5.4.4 Invalid domain', '5.4.4'],
])("a sentence about the address's domain needs no name: %s", (text, status) => {
  expect(judged(text, { status })).toMatchObject({ ...bounced, reason: 'invalid_domain' })
})

test('the server named in a bounce message is taken as the one that was looked up', () => {
  const text = 'SMTP; 550 Host unknown'
  expect(judged(text, { status: '5.1.2', remoteMta: 'example.org' })).toMatchObject(bounced)
  expect(judged(text, { status: '5.1.2', remoteMta: 'relay.example.net' })).toMatchObject(dnsFailure)
})

describe('a remote host’s reply is never treated as our own lookup', () => {
  test.each(['ehlo', 'mail_from', 'rcpt_to', 'data', 'end_of_data'] as const)(
    'a reply at stage %s is not a lookup',
    stage => {
      expect(judged('Unknown host', { stage }).event).toBe('email.failed')
      expect(judged('Domain example.org not found', { stage, status: '5.4.4' }).event).toBe('email.failed')
      expect(judged('Domain example.org not found', { stage, status: '5.0.0' }).event).toBe('email.failed')
    },
  )

  test('without a stage or a reply code', () => {
    const text = 'remote host said: Domain example.org not found'
    expect(judged(text, { status: '5.4.4' }).event).toBe('email.failed')
    expect(judged(text).event).toBe('email.failed')
  })

  test('with a code that is not about routing', () => {
    const text = 'Unknown host: your server name is not resolvable'
    expect(judged(text, { enhanced: '5.7.1' })).toMatchObject({
      event: 'email.failed',
      reason: 'access_denied',
    })
    expect(judged('Unknown domain example.org', { enhanced: '5.7.1' }).event).toBe('email.failed')
  })
})

test('non-ASCII domain names are compared as in DNS', () => {
  const text = 'Name service error for name=xn--mnchen-3ya.example type=MX: Host not found'
  const more = { status: '5.4.4', recipientDomain: 'xn--mnchen-3ya.example' }
  expect(judged(`Host or domain name not found. ${text}`, more)).toMatchObject(bounced)
  expect(judged('DNS domain münchen.example does not exist', more)).toMatchObject(bounced)
})

test('a DNS error from a server’s own recipient check is a DNS failure, not a bounce', () => {
  const text =
    '550 5.1.1 <ann@example.org>: Recipient address rejected: undeliverable address: Host or domain name not found. Name service error for name=mailstore.internal.example type=A: Host not found'
  expect(judged(text)).toMatchObject(dnsFailure)
})
