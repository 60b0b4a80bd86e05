import type { Event, Problem, SourceAccepted } from '@posthorn/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bounceMail, complaintMail, plainMail, statusGroup } from '../sources/mails.ts'
import { allEvents, type Customer, expectStatus } from '../support/api.ts'
import { openShards, type TestInstallation } from '../support/shards.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { until } from '../support/until.ts'
import { ask } from './report-at.ts'

let sink: SmtpSink
let shards: TestInstallation
let ann: Customer
let bob: Customer

beforeAll(async () => {
  sink = await startSmtpSink()
  shards = await openShards(2, {
    shard: { POSTHORN_SMTP_URL: sink.url, POSTHORN_RETURN_PATH_DOMAIN: 'bounces.posthorn.test' },
  })
  ann = await shards.customerOn(0)
  bob = await shards.customerOn(1)
})
afterAll(async () => {
  await shards[Symbol.asyncDispose]()
  await sink[Symbol.asyncDispose]()
})

let mails = 0

/** Sends an email, and returns its id, recipient, return path and unsubscribe address. */
async function send({ api }: Customer) {
  const recipient = `reader${++mails}@example.org`
  const email = {
    from: 'shop@acme.test',
    to: [recipient],
    subject: 'Hello',
    text: 'Hello',
    unsubscribe: { list: 'news' },
  }
  const { email_id: id } = expectStatus(202, await api.post<{ email_id: string }>('/v1/emails', email))
  const [mail] = await until('the email is sent', () => {
    const found = sink.for(recipient)
    return found.length > 0 && found
  })
  const unsubscribe = /unsub\+[0-9a-z]{53}@[a-z.]+/.exec(mail?.raw.toString() ?? '')?.[0] ?? ''
  return { id, recipient, returnPath: mail?.from ?? '', unsubscribe }
}

const post = async <T = SourceAccepted>(path: string, body: unknown, headers = {}) =>
  await ask<T>(shards, path, body, headers)

async function eventsOf(ids: readonly string[]): Promise<Array<[type: string, email: string]>> {
  const known = new Map<string, Event>()
  for (const { api } of [ann, bob]) for (const event of await allEvents(api)) known.set(event.id, event)
  return ids.map(id => [known.get(id)?.type ?? '', known.get(id)?.data.email_id ?? ''])
}

const forged = `bounces+${'0'.repeat(53)}@bounces.posthorn.test`
let lines = 0
const line = (given: object): object => ({
  line_id: `line-${++lines}`,
  recipient: 'ann@example.org',
  disposition: 'permanent',
  status: '5.1.1',
  reply: '550 5.1.1 User unknown',
  occurred_at: '2026-11-21T04:00:01.000Z',
  ...given,
})

test('lines of a Postfix log are split by return path and by account', async () => {
  const [first, second, third] = [await send(bob), await send(ann), await send(bob)]
  const sent = ({ recipient, returnPath }: typeof first, given = {}): object =>
    line({ recipient, return_path: returnPath, ...given })
  const records = [
    sent(first),
    line({ return_path: forged }),
    sent(second, { disposition: 'accepted', status: '2.0.0', reply: '250 ok' }),
    line({ account_id: bob.accountId, email_id: 'foreign-1' }),
    line({}),
    sent(third, { recipient: 'other@example.org' }),
    line({ account_id: ann.accountId, email_id: 'foreign-2' }),
    sent(third),
  ]
  const { status, body } = await post('/v1/sources/postfix', { records })
  expect({ status, ignored: body.ignored }).toEqual({
    status: 202,
    ignored: [
      { index: 1, reason: 'unverified' },
      { index: 4, reason: 'foreign' },
      { index: 5, reason: 'other_recipient' },
    ],
  })
  expect(await eventsOf(body.events)).toEqual([
    ['email.bounced', first.id],
    ['email.delivered', second.id],
    ['email.bounced', 'foreign-1'],
    ['email.bounced', 'foreign-2'],
    ['email.bounced', third.id],
  ])
  const again = (await post('/v1/sources/postfix', { records })).body
  expect(again.accepted).toBe(0)
  const duplicates = again.ignored.flatMap(({ reason, event_id }) => (reason === 'duplicate' ? event_id : []))
  expect(duplicates).toEqual(body.events)
})

test('records of KumoMTA with several recipients keep their order', async () => {
  const sent = await send(bob)
  const record = (type: string, given: object): object => ({
    type,
    id: `record-${++lines}`,
    response:
      type === 'Delivery' ? { code: 250, content: 'OK' } : { code: 550, content: '5.1.1 User unknown' },
    timestamp: 1_795_233_601,
    num_attempts: 0,
    ...given,
  })
  const foreign = (accountId: string, email: string): object => ({
    meta: { posthorn_account_id: accountId, posthorn_email_id: email },
  })
  const records = [
    record('Bounce', { sender: sent.returnPath, recipient: sent.recipient }),
    record('Delivery', {
      recipient: ['one@example.org', 'two@example.org'],
      ...foreign(ann.accountId, 'k-1'),
    }),
    record('TransientFailure', { recipient: 'ann@example.org', ...foreign(bob.accountId, 'k-2') }),
    { type: 'Bounce', nothing: 'else' },
    record('Delivery', { recipient: 'three@example.org', ...foreign(bob.accountId, 'k-3') }),
  ]
  const ndjson = records.map(one => JSON.stringify(one)).join('\n')
  const { status, body } = await post('/v1/sources/kumomta', ndjson, {
    'content-type': 'application/x-ndjson',
  })
  expect({ status, ignored: body.ignored }).toEqual({
    status: 202,
    ignored: [
      { index: 2, reason: 'temporary' },
      { index: 3, reason: 'malformed' },
    ],
  })
  expect(await eventsOf(body.events)).toEqual([
    ['email.bounced', sent.id],
    ['email.delivered', 'k-1'],
    ['email.delivered', 'k-1'],
    ['email.delivered', 'k-3'],
  ])
})

test('an outcome of an unknown account refuses the whole report, and no shard stores it', async () => {
  const before = (await allEvents(ann.api)).length + (await allEvents(bob.api)).length
  const unknown = { account_id: 'acct_01h455vb4pex5vsknk084sn02q', email_id: 'x' }
  const records = [ann, bob].map(({ accountId }) => line({ account_id: accountId, email_id: 'y' }))
  const refused = await post<Problem>('/v1/sources/postfix', { records: [...records, line(unknown)] })
  expect(refused).toMatchObject({
    status: 422,
    body: { code: 'validation_failed', errors: [{ path: '/account_id', message: 'no such account' }] },
  })
  const invalid = await post<Problem>('/v1/sources/postfix', { records: [...records, { line_id: 'x' }] })
  expect(invalid.body.errors?.[0]?.path).toMatch(/^\/records\/2\//)
  expect((await allEvents(ann.api)).length + (await allEvents(bob.api)).length).toBe(before)
})

test('a message is taken by the shard that knows its token', async () => {
  const mime = { 'content-type': 'message/rfc822' }
  const take = async (mail: string, recipient = '') => {
    const query = recipient === '' ? '' : `?recipient=${encodeURIComponent(recipient)}`
    return (await post(`/v1/sources/message${query}`, mail, mime)).body
  }
  const sent = await send(bob)
  const bounce = bounceMail(sent.returnPath, [statusGroup(sent.recipient)])
  const { events } = await take(bounce)
  expect(await eventsOf(events)).toEqual([['email.bounced', sent.id]])
  expect((await take(bounce)).ignored).toEqual([{ index: 0, reason: 'duplicate', event_id: events[0] }])

  // a token of an account on another shard comes first, but is not genuine
  const other = await send(ann)
  const changed = other.returnPath.replace(/.(?=@)/, last => (last === '0' ? '1' : '0'))
  const complained = await send(bob)
  const complaint = complaintMail([`X-Seen: <${changed}>`, `Return-Path: <${complained.returnPath}>`])
  expect(await eventsOf((await take(complaint)).events)).toEqual([['email.unsubscribed', complained.id]])

  const left = await send(bob)
  expect(await eventsOf((await take(plainMail(left.unsubscribe), left.unsubscribe)).events)).toEqual([
    ['email.unsubscribed', left.id],
  ])
  for (const path of [forged, changed]) {
    const { ignored } = await take(bounceMail(path, [statusGroup('ann@example.org')]))
    expect(ignored).toEqual([{ index: 0, reason: 'unverified' }])
  }
})
