import { describe, expect, test } from 'vitest'
import { call, newCustomer, operatorToken } from '../http/test-app.ts'
import { verbBackends } from '../support/test-database.ts'
import { parseTypeId } from '../../src/domain/type-id.ts'
import type { SentEmail } from './sent-email.ts'
import { useSourceApp } from './source-app.ts'

const path = '/v1/sources/kumomta'

let records = 0
/** A record in the format of KumoMTA's reference. */
const record = (type: string, given: object = {}): object => ({
  type,
  id: `1d98076abbbc11ed94${String(++records).padStart(4, '0')}`,
  sender: 'shop@acme.test',
  recipient: 'ann@example.org',
  queue: 'campaign:tenant@example.org',
  site: 'source2->mx1.example.org.',
  size: 1047,
  response: {
    code: 250,
    enhanced_code: { class: 2, subject: 0, detail: 0 },
    content: 'OK ids=8a5475cc',
    command: '.',
  },
  peer_address: { name: 'mx1.example.org.', addr: '192.0.2.7' },
  timestamp: 1_795_233_601,
  created: 1_795_233_600,
  num_attempts: 0,
  bounce_classification: 'Uncategorized',
  meta: {},
  headers: {},
  ...given,
})
const refused = {
  response: {
    code: 550,
    enhanced_code: { class: 5, subject: 1, detail: 1 },
    content: 'User unknown',
    command: 'RCPT TO:<ann@example.org>',
  },
}

describe.each(verbBackends())("KumoMTA's records on $name", backend => {
  const { app, customer, sent, post, event } = useSourceApp(backend)
  const about = async (type: string, given: object = {}) => {
    const email = await sent()
    return await post(path, record(type, { sender: email.returnPaths[0], ...given }))
  }

  test('a delivery and a bounce become events of the email that the return path names', async () => {
    const delivery = await about('Delivery')
    expect(await event(delivery.events[0])).toMatchObject({
      type: 'email.delivered',
      remote_mta: { name: 'mx1.example.org', ip: '192.0.2.7' },
      smtp_response: { code: 250, enhanced_code: '2.0.0' },
      occurred_at: '2026-11-21T04:00:01.000Z',
      attempts: 1,
      metadata: { order_id: 1234 },
    })
    const bounce = await about('Bounce', refused)
    expect(await event(bounce.events[0])).toMatchObject({
      type: 'email.bounced',
      smtp_response: { code: 550, command: 'RCPT TO' },
    })
  })

  test('the record type overrides the reply code: an expired or cancelled mail is not a bounce', async () => {
    const response = {
      code: 551,
      enhanced_code: { class: 5, subject: 1, detail: 3 },
      content: 'Next delivery time would be at 2026-11-22 which exceeds the expiry time',
    }
    const expired = await about('Expiration', { response })
    expect(await event(expired.events[0])).toMatchObject({ type: 'email.failed', failure: { expired: true } })
    const ended = await about('AdminBounce', refused)
    expect(await event(ended.events[0])).toMatchObject({
      type: 'email.failed',
      failure: { category: 'policy', reason: 'cancelled' },
    })
  })

  test('records without a final outcome are ignored', async () => {
    const email = await sent()
    const sender = email.returnPaths[0]
    const answer = await post(path, [
      record('TransientFailure', { sender }),
      ...['Reception', 'Rejection', 'Delay', 'SomethingNew'].map(type => record(type, { sender })),
      { type: 7 },
      record('Delivery', { sender, recipient: null }),
    ])
    expect(answer.ignored.map(({ reason }) => reason)).toEqual([
      'temporary',
      'not_an_outcome',
      'not_an_outcome',
      'not_an_outcome',
      'not_an_outcome',
      'malformed',
      'malformed',
    ])
  })

  test('an out-of-band bounce counts only if it was sent to our return path', async () => {
    const email = await sent()
    const whole = await post(path, record('OOB', { sender: '', recipient: email.returnPaths[0], ...refused }))
    expect(await event(whole.events[0])).toMatchObject({
      type: 'email.bounced',
      bounce: { timing: 'asynchronous' },
    })
    const named = await sent()
    const recipient = ['ann@example.org', named.returnPaths[0]]
    expect(await post(path, record('OOB', { sender: '', recipient, ...refused }))).toMatchObject({
      accepted: 1,
    })
    expect(await post(path, record('OOB', { sender: '', ...refused }))).toMatchObject({
      ignored: [{ reason: 'foreign' }],
    })
  })

  test('a complaint unsubscribes, other feedback does not', async () => {
    const email = await sent()
    const feedback = (feedback_type: string, original: object) =>
      record('Feedback', {
        sender: '',
        recipient: 'fbl@acme.test',
        feedback_report: { feedback_type, ...original },
      })
    const mail = { original_message: `Return-Path: <${email.returnPaths[0]}>\nSubject: x\n` }
    expect(await post(path, feedback('fraud', mail))).toMatchObject({
      ignored: [{ reason: 'not_an_outcome' }],
    })
    const { events } = await post(path, feedback('abuse', mail))
    expect(await event(events[0])).toMatchObject({
      type: 'email.unsubscribed',
      recipient: 'ann@example.org',
      unsubscribe: { source: 'complaint', feedback_type: 'abuse' },
    })
    expect(
      await post(path, feedback('abuse', { original_mail_from: `<${email.returnPaths[0]}>` })),
    ).toMatchObject({
      ignored: [{ reason: 'duplicate' }],
    })
  })

  test.each([
    ['address', (email: SentEmail) => `<mailto:${email.unsubscribe[0]}>`],
    ['link', (email: SentEmail) => `<https://acme.test/u/${email.unsubscribeLinks[0]}>`],
  ])(
    'a complaint without the envelope is found by the %s of the unsubscribe link, also long after it was sent',
    async (_what, way) => {
      for (const isGone of [false, true]) {
        const email = await sent()
        const original = `List-Unsubscribe: ${way(email)}\nSubject: x\n`
        if (isGone) await app().ctx.db.query('delete from email where id = $1', [parseTypeId('em', email.id)])
        const feedback = record('Feedback', {
          sender: '',
          recipient: 'fbl@acme.test',
          feedback_report: { feedback_type: 'abuse', original_message: original },
        })
        const answer = await post(path, feedback)
        // a return path does not contain the recipient
        if (isGone && _what === 'address') {
          expect(answer).toMatchObject({ accepted: 0, ignored: [{ reason: 'unverified' }] })
          continue
        }
        expect(await event(answer.events[0])).toMatchObject({
          type: 'email.unsubscribed',
          email_id: email.id,
          recipient: 'ann@example.org',
          unsubscribe: { source: 'complaint', feedback_type: 'abuse' },
        })
      }
    },
  )

  test('a complaint with a forged token unsubscribes nobody', async () => {
    const email = await sent()
    const forged = email.unsubscribe[0]?.replace(/.(?=@)/, last => (last === '0' ? '1' : '0'))
    const original = { original_message: `List-Unsubscribe: <mailto:${forged}>\n` }
    const feedback = record('Feedback', { feedback_report: { feedback_type: 'abuse', ...original } })
    expect(await post(path, feedback)).toMatchObject({ accepted: 0, ignored: [{ reason: 'unverified' }] })
  })

  test('a transaction with several recipients creates an event for each of them', async () => {
    const { accountId } = customer()
    const meta = { posthorn_account_id: accountId, posthorn_email_id: 'shared-2' }
    const recipient = ['ann@example.org', 'bob@example.org']
    const delivered = await post(path, record('Delivery', { recipient, meta }))
    expect(delivered.accepted).toBe(2)
    const response = { ...refused.response, command: '.' }
    const failed = await post(
      path,
      record('Bounce', { recipient, meta: { ...meta, posthorn_email_id: 'shared-3' }, response }),
    )
    expect(await event(failed.events[1])).toMatchObject({ type: 'email.failed', to: ['bob@example.org'] })
  })

  test('an email that Posthorn did not send gets its id from meta, or from Message-ID if requested', async () => {
    const { accountId, apiKey } = customer()
    const headers = { 'Message-ID': '<m1@shop.test>' }
    expect(await post(path, record('Delivery', { headers }))).toMatchObject({
      ignored: [{ reason: 'foreign' }],
    })
    const url = `${path}?account_id=${accountId}&email_id=message_id`
    const { events } = await post(url, record('Delivery', { headers }))
    expect(await event(events[0])).toMatchObject({ email_id: 'm1@shop.test', message_id: 'm1@shop.test' })
    const named = record('Delivery', { meta: { posthorn_email_id: 'order-9' } })
    expect(await post(path, named, apiKey)).toMatchObject({ accepted: 1 })
    expect(await post(path, named, apiKey)).toMatchObject({ ignored: [{ reason: 'duplicate' }] })
    const other = await newCustomer(app())
    const answer = await call(app(), 'POST', url, { as: other.apiKey, json: named })
    expect(answer).toMatchObject({ status: 403, body: { code: 'account_mismatch' } })
  })

  test('records may also be sent as NDJSON, and more than a thousand at once are rejected', async () => {
    const email = await sent()
    const line = JSON.stringify(record('Delivery', { sender: email.returnPaths[0] }))
    const send = async (payload: string) =>
      await call(app(), 'POST', path, {
        as: operatorToken,
        payload,
        headers: { 'content-type': 'application/x-ndjson' },
      })
    expect(await send(`${line}\n${line}\n`)).toMatchObject({ status: 202, body: { accepted: 1 } })
    expect(await send(`${line}\n`.repeat(1_001))).toMatchObject({
      status: 413,
      body: { code: 'batch_too_large' },
    })
  })

  test('records with more than a thousand recipients in total are rejected', async () => {
    const meta = { posthorn_email_id: 'order-10' }
    const recipients = Array.from({ length: 501 }, (_, n) => `reader${n}@example.org`)
    const one = record('Bounce', { ...refused, meta, recipient: recipients })
    const { apiKey } = customer()
    expect(await call(app(), 'POST', path, { as: apiKey, json: [one, one] })).toMatchObject({
      status: 413,
      body: { code: 'batch_too_large' },
    })
    expect(await post(path, one, apiKey)).toMatchObject({ accepted: 501 })
  })
})
