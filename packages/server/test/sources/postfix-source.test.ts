import { describe, expect, test } from 'vitest'
import { call, newCustomer, operatorToken } from '../http/test-app.ts'
import { verbBackends } from '../support/test-database.ts'
import { useSourceApp } from './source-app.ts'

let lines = 0
const record = (given: object): object => ({
  line_id: `line-${++lines}`,
  recipient: 'ann@example.org',
  disposition: 'accepted',
  status: '2.0.0',
  reply: '250 2.0.0 Ok: queued as 4F00A1',
  relay: 'mx1.example.org[192.0.2.7]:25',
  occurred_at: '2026-11-21T04:00:01.000Z',
  ...given,
})
const refused = {
  disposition: 'permanent',
  status: '5.1.1',
  reply: 'host mx1.example.org[192.0.2.7] said: 550 5.1.1 User unknown (in reply to RCPT TO command)',
}

describe.each(verbBackends())("Postfix's log on $name", backend => {
  const { app, customer, sent, post, event } = useSourceApp(backend)
  const report = async (...records: object[]) => await post('/v1/sources/postfix', { records })

  test('the return path identifies email and recipient, and the event contains their stored data', async () => {
    const email = await sent()
    const { accepted, events, ignored } = await report(record({ return_path: email.returnPaths[0] }))
    expect({ accepted, ignored }).toEqual({ accepted: 1, ignored: [] })
    expect(await event(events[0])).toMatchObject({
      type: 'email.delivered',
      email_id: email.id,
      to: ['ann@example.org'],
      occurred_at: '2026-11-21T04:00:01.000Z',
      message_id: 'a1@mail.acme.test',
      from: 'Acme <no-reply@acme.test>',
      subject: 'Your receipt',
      tags: { kind: 'receipt' },
      metadata: { order_id: 1234 },
      remote_mta: { name: 'mx1.example.org', ip: '192.0.2.7' },
      smtp_response: { code: 250 },
    })
  })

  test('a log line that is reported again creates no second event', async () => {
    const email = await sent()
    const line = record({ return_path: email.returnPaths[0] })
    const { events } = await report(line)
    expect(await report(line)).toEqual({
      accepted: 0,
      events: [],
      ignored: [{ index: 0, reason: 'duplicate', event_id: events[0] }],
    })
  })

  test('each recipient has its own final outcome, and a late bounce follows a delivery once', async () => {
    const email = await sent(['ann@example.org', 'bob@example.org'])
    const [ann, bob] = email.returnPaths
    const first = await report(
      record({ return_path: ann }),
      record({ return_path: bob, recipient: 'bob@example.org', ...refused }),
    )
    expect(first.accepted).toBe(2)
    expect(await event(first.events[1])).toMatchObject({ type: 'email.bounced', to: ['bob@example.org'] })
    const late = await report(
      record({ return_path: ann, ...refused }),
      record({ return_path: ann, ...refused }),
    )
    expect(late).toMatchObject({ accepted: 1, ignored: [{ index: 1, reason: 'superseded' }] })
    expect(await event(late.events[0])).toMatchObject({ type: 'email.bounced', to: ['ann@example.org'] })
  })

  test('an expired mail is a failure, never a bounce', async () => {
    const email = await sent()
    const reply = 'host mx1.example.org[192.0.2.7] said: 450 4.1.1 User unknown (in reply to RCPT TO command)'
    const { events } = await report(
      record({
        return_path: email.returnPaths[0],
        disposition: 'expired',
        status: '4.1.1',
        reply,
        attempts: 9,
      }),
    )
    expect(await event(events[0])).toMatchObject({
      type: 'email.failed',
      failure: { expired: true },
      attempts: 9,
    })
  })

  test('a forged token, or a token for another recipient or account, bounces nobody', async () => {
    const email = await sent()
    const [path = ''] = email.returnPaths
    const forged = path.replace(/.(?=@)/, last => (last === '0' ? '1' : '0'))
    const unsubscribing = email.unsubscribe[0]?.replace('unsub', 'bounces')
    const other = await newCustomer(app())
    const answer = await report(
      record({ return_path: forged, ...refused }),
      record({ return_path: unsubscribing, ...refused }),
      record({ return_path: path, recipient: 'eve@example.org', ...refused }),
      record({ return_path: 'shop@acme.test', ...refused }),
      record({ ...refused }),
    )
    expect(answer).toEqual({
      accepted: 0,
      events: [],
      ignored: [
        { index: 0, reason: 'unverified' },
        { index: 1, reason: 'unverified' },
        { index: 2, reason: 'other_recipient' },
        { index: 3, reason: 'foreign' },
        { index: 4, reason: 'foreign' },
      ],
    })
    const records = [record({ return_path: path, ...refused })]
    expect(await post('/v1/sources/postfix', { records }, other.apiKey)).toMatchObject({
      accepted: 0,
      ignored: [{ reason: 'unverified' }],
    })
    // the same line from the account itself counts
    expect(await post('/v1/sources/postfix', { records }, customer().apiKey)).toMatchObject({ accepted: 1 })
  })

  test('the event names the forward target as well as the recipient', async () => {
    const email = await sent()
    const { events } = await report(
      record({
        return_path: email.returnPaths[0]?.toUpperCase(),
        recipient: 'gone@elsewhere.test',
        original_recipient: 'Ann@EXAMPLE.org',
        ...refused,
      }),
    )
    expect(await event(events[0])).toMatchObject({
      to: ['ann@example.org'],
      failure: { reason: 'forward_failed', final_recipient: 'gone@elsewhere.test' },
    })
  })

  test('an email that Posthorn did not send has the id that its reporter gives it', async () => {
    const { apiKey, accountId } = customer()
    const foreign = {
      email_id: 'order-77',
      message_id: 'x@shop.test',
      return_path: 'shop@acme.test',
      ...refused,
    }
    const { events } = await report(record({ ...foreign, account_id: accountId }))
    expect(await event(events[0])).toMatchObject({
      type: 'email.bounced',
      email_id: 'order-77',
      message_id: 'x@shop.test',
    })
    const own = { records: [record({ ...foreign, email_id: 'order-78' })] }
    expect(await post('/v1/sources/postfix', own, apiKey)).toMatchObject({ accepted: 1 })
    expect(await report(record({ ...foreign, recipient: 'root', account_id: accountId }))).toMatchObject({
      ignored: [{ reason: 'malformed' }],
    })
    const other = await newCustomer(app())
    const answer = await call(app(), 'POST', '/v1/sources/postfix', {
      as: other.apiKey,
      json: { records: [record({ ...foreign, account_id: accountId })] },
    })
    expect(answer).toMatchObject({ status: 403, body: { code: 'account_mismatch' } })
  })

  test('a rejection after DATA is a bounce only if it is marked per_recipient', async () => {
    const { accountId } = customer()
    const reply = 'host mx[192.0.2.7] said: 550 5.1.1 User unknown (in reply to end of DATA command)'
    const line = { account_id: accountId, disposition: 'permanent', status: '5.1.1', reply }
    const { events } = await report(
      record({ ...line, email_id: 'shared-1' }),
      record({ ...line, email_id: 'alone-1', per_recipient: true }),
    )
    expect(await event(events[0])).toMatchObject({ type: 'email.failed' })
    expect(await event(events[1])).toMatchObject({ type: 'email.bounced' })
  })

  test('a report repeated with its Idempotency-Key gets the same response, and an invalid report stores nothing', async () => {
    const email = await sent()
    const json = { records: [record({ return_path: email.returnPaths[0] })] }
    const headers = { 'idempotency-key': email.id }
    const first = await call(app(), 'POST', '/v1/sources/postfix', { as: operatorToken, json, headers })
    const again = await call(app(), 'POST', '/v1/sources/postfix', { as: operatorToken, json, headers })
    expect(first).toMatchObject({ status: 202, body: { accepted: 1 } })
    expect(again.body).toEqual(first.body)
    expect(again.headers['idempotency-replayed']).toBe('true')
    const wrong = {
      records: [record({ return_path: email.returnPaths[0], ...refused }), record({ reply: 7 })],
    }
    const answer = await call(app(), 'POST', '/v1/sources/postfix', { as: operatorToken, json: wrong })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: '/records/1/reply' }] } })
    expect(await report(record({ return_path: email.returnPaths[0], ...refused }))).toMatchObject({
      accepted: 1,
    })
  })
})
