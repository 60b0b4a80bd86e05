import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { call, operatorToken } from '../http/test-app.ts'
import { verbBackends } from '../support/test-database.ts'
import { about, failed, json, key, nowSeconds, replied, signature, webhook } from './mailgun-webhook.ts'
import { useProviderApp, type Webhook } from './provider-app.ts'

describe.each(verbBackends())('Mailgun’s webhooks on $name', backend => {
  const { app, customer, sent, newCustomer, newSource, send, report, counted, system } = useProviderApp(
    backend,
    'mailgun',
    key,
  )

  test('a delivery becomes an event of the email that the variable names', async () => {
    const event = about('delivered', {
      'user-variables': { posthorn_email_id: 'order-1' },
      ...replied(250, 'OK queued as 4F7C2A'),
    })
    expect((await report(webhook(event))).events).toMatchObject([
      {
        type: 'email.delivered',
        email_id: 'order-1',
        to: ['ann@example.org'],
        occurred_at: '2026-11-21T04:00:01.250Z',
        remote_mta: { name: 'mx1.example.org' },
        smtp_response: { code: 250 },
        attempts: 2,
      },
    ])
  })

  test('the reply decides what a permanent failure means, not that Mailgun calls it a bounce', async () => {
    const dead = await report(webhook(failed(550, '5.1.1 <ann@example.org>: user unknown')))
    expect(dead.events).toMatchObject([{ type: 'email.bounced', recipient: 'ann@example.org' }])
    const blocked = await report(webhook(failed(554, '5.7.1 blocked by the policy of example.org')))
    expect(blocked.events).toMatchObject([{ type: 'email.failed' }])
    const silent = await report(webhook(failed(0, '')))
    expect(silent.events).toMatchObject([{ type: 'email.failed' }])
  })

  test('what Mailgun did not send because of its own list proves nothing about the address', async () => {
    const event = failed(605, '', {
      reason: 'suppress-bounce',
      'delivery-status': { code: 605, message: '', description: 'not sent to a bounced address' },
    })
    expect((await report(webhook(event))).events).toMatchObject([
      { type: 'email.failed', failure: { reason: 'recipient_suppressed' } },
    ])
  })

  test('an email that Mailgun gave up is expired, and one that it refused to send is cancelled', async () => {
    const old = failed(602, 'too old', { reason: 'old' })
    expect((await report(webhook(old))).events).toMatchObject([
      { type: 'email.failed', failure: { expired: true } },
    ])
    const rejected = about('rejected', { reject: { reason: 'the sandbox has no such recipient' } })
    expect((await report(webhook(rejected))).events).toMatchObject([
      { type: 'email.failed', failure: { reason: 'cancelled' } },
    ])
  })

  test('complaints and unsubscriptions unsubscribe the recipient, and name the provider', async () => {
    const { events: complaints } = await report(webhook(about('complained')))
    const from = { user_agent: 'Mailgun' }
    expect(complaints).toMatchObject([
      { type: 'email.unsubscribed', unsubscribe: { source: 'complaint', ...from } },
    ])
    const { events: wishes } = await report(webhook(about('unsubscribed')))
    expect(wishes).toMatchObject([{ type: 'email.unsubscribed', unsubscribe: { source: 'api', ...from } }])
  })

  test('deferrals, opens and clicks create no event', async () => {
    const deferred = about('failed', { severity: 'temporary', ...replied(421, 'try later') })
    expect(await report(webhook(deferred))).toEqual({ events: [], ignored: ['temporary'] })
    for (const kind of ['accepted', 'opened', 'clicked', 'stored', 'something-new']) {
      expect(await report(webhook(about(kind)))).toEqual({ events: [], ignored: ['not_an_outcome'] })
    }
  })

  test('without the variable, an email has the id of its Message-ID, or Posthorn’s own if Posthorn sent it', async () => {
    const named = (messageId: string) => ({
      'user-variables': {},
      message: { headers: { 'message-id': messageId } },
    })
    const other = about('delivered', named('20261121.4711@mg.acme.example'))
    expect((await report(webhook(other))).events).toMatchObject([
      { email_id: '20261121.4711@mg.acme.example', message_id: '20261121.4711@mg.acme.example' },
    ])
    const email = await sent(['ann@example.org'])
    const own = about('delivered', named(`${email.id}@acme.example`))
    expect((await report(webhook(own))).events).toMatchObject([{ email_id: email.id }])
    const { body } = await call(app(), 'GET', `/v1/emails/${email.id}`, { as: customer().apiKey })
    expect(body['recipients']).toMatchObject([{ state: 'delivered' }])
  })

  test('text that is not valid Unicode loses no report', async () => {
    const event = failed(550, '5.1.1 no such user: ann\udce9')
    expect((await report(webhook(event))).events).toMatchObject([
      { type: 'email.bounced', smtp_response: { message: expect.stringContaining('ann\ufffd') } },
    ])
  })

  test('a report that arrives again is a duplicate', async () => {
    const { url } = await newSource()
    const event = about('delivered')
    expect((await send(url, webhook(event))).body).toMatchObject({ accepted: 1 })
    expect((await send(url, webhook(event))).body).toMatchObject({
      accepted: 0,
      ignored: [{ reason: 'duplicate' }],
    })
  })

  test('a report without a valid signature is refused and counted, and changes nothing', async () => {
    const source = await newSource()
    const event = about('delivered')
    const { timestamp, token } = signature()
    const wrong: Webhook[] = [
      webhook(event, signature(nowSeconds(), randomBytes(16).toString('hex'))),
      webhook(event, { ...signature(), token: 'another' }),
      webhook(event, { ...signature(), timestamp: String(nowSeconds() + 1) }),
      webhook(event, { timestamp, token }),
      webhook(event, { timestamp, token, signature: '' }),
      webhook(event, signature(nowSeconds() - 13 * 3_600)),
      webhook(event, signature(nowSeconds() + 3_600)),
      { headers: json, payload: '{}' },
      { headers: json, payload: '[]' },
      { payload: '' },
    ]
    for (const [index, one] of wrong.entries()) {
      const { status, body } = await send(source.url, one)
      expect([index, status]).toEqual([index, index === 9 ? 400 : 401])
      expect(body.code).toBe(index === 9 ? 'malformed_json' : 'unauthorized')
    }
    expect(await counted(source, { refused_count: wrong.length })).toMatchObject({
      last_at: null,
      event_count: 0,
      ignored_count: 0,
    })
    expect((await send(source.url, webhook(event))).body).toMatchObject({ accepted: 1 })
    expect((await system()).provider_sources).toContainEqual(
      expect.objectContaining({
        account_id: source.accountId,
        account_name: 'Test',
        ...(await counted(source, { event_count: 1 })),
        last_at: expect.any(String),
      }),
    )
  })

  test('a report of a subaccount counts with the signature of its main account', async () => {
    const { signature: main, ...signed } = signature()
    const both = { ...signed, signature: 'f'.repeat(64), 'parent-signature': main }
    expect((await report(webhook(about('delivered'), both))).events).toHaveLength(1)
  })

  test('a token that is missing, wrong, deleted, of another provider or of a deleted account is refused', async () => {
    const another = await newCustomer()
    const [gone, ofGone, good] = [await newSource(), await newSource(another.accountId), await newSource()]
    const remove = (path: string) => call(app(), 'DELETE', path, { as: operatorToken })
    await remove(`/v1/accounts/${gone.accountId}/sources/${gone.id}`)
    await remove(`/v1/accounts/${another.accountId}`)
    const path = '/v1/sources/mailgun'
    for (const url of [
      path,
      `${path}?token=`,
      `${path}?token=x`,
      `${path}?token=${operatorToken}`,
      `${path}?token=${customer().apiKey}`,
      `${good.url}x`,
      good.url.replace(/.$/, end => (end === '0' ? '1' : '0')),
      `${good.url}&token=${good.url.split('=')[1]}`,
      gone.url,
      ofGone.url,
    ]) {
      const { status, body } = await send(url, webhook(about('delivered')))
      expect([url, status, body.code]).toEqual([url, 401, 'unauthorized'])
    }
    expect((await send(good.url, webhook(about('delivered')))).status).toBe(200)
  })

  test('two accounts with the same key report only for themselves', async () => {
    const another = await newCustomer()
    const { url } = await newSource(another.accountId)
    const event = about('delivered')
    const { body } = await send(url, webhook(event))
    const [id] = body['events'] as string[]
    const read = (as: string) => call(app(), 'GET', `/v1/events/${id}`, { as })
    expect([(await read(another.apiKey)).status, (await read(customer().apiKey)).status]).toEqual([200, 404])
  })

  test('nonsense with a valid signature is counted, logged without its content, and ignored', async () => {
    const source = await newSource()
    const nonsense: unknown[] = [
      undefined,
      null,
      7,
      'text',
      [],
      {},
      { event: 7, id: {} },
      { event: 'delivered' },
      { event: 'delivered', recipient: 'nobody', 'user-variables': { posthorn_email_id: 'x' } },
      { event: 'failed', recipient: {}, 'delivery-status': [], message: 'x', envelope: null },
      about('delivered', { recipient: 'an\ud83dn@example.org' }),
      about('delivered', { timestamp: 1e300, 'delivery-status': { code: -1, 'attempt-no': 1.5 } }),
    ]
    for (const one of nonsense) {
      const { status } = await send(source.url, webhook(one as object))
      expect([JSON.stringify(one), status]).toEqual([JSON.stringify(one), 200])
    }
    expect((await counted(source, { event_count: 1 }))?.ignored_count).toBeGreaterThan(5)
    expect(app().logged).toContainEqual({ source_id: source.id, kind: 'mailgun', ignored: { malformed: 1 } })
  })

  test('an older webhook sends a form in either encoding', async () => {
    const fields = (event: string, given: object = {}) => ({
      ...signature(),
      event,
      recipient: 'ann@example.org',
      'Message-Id': `<${randomBytes(6).toString('hex')}@mg.acme.example>`,
      posthorn_email_id: `form-${randomBytes(6).toString('hex')}`,
      ...given,
    })
    const bounced = new URLSearchParams(
      fields('bounced', { code: '550', error: '5.1.1 No such user here', posthorn_email_id: 'form-1' }),
    )
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await report({ headers, payload: bounced.toString() })).events).toMatchObject([
      { type: 'email.bounced', email_id: 'form-1' },
    ])
    const form = new FormData()
    for (const [name, value] of Object.entries(fields('complained'))) form.set(name, value)
    const encoded = new Response(form)
    const multipart = {
      headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
      payload: Buffer.from(await encoded.arrayBuffer()),
    }
    expect((await report(multipart)).events).toMatchObject([{ unsubscribe: { source: 'complaint' } }])
    const forged = new URLSearchParams(fields('delivered', { token: 'another' }))
    expect((await send((await newSource()).url, { headers, payload: forged.toString() })).status).toBe(401)
  })

  test('a key that Mailgun cannot have is refused, and no answer shows the key or the URL again', async () => {
    const path = `/v1/accounts/${customer().accountId}/sources`
    const create = (json: object, idempotencyKey = '') =>
      call(app(), 'POST', path, {
        as: operatorToken,
        json,
        ...(idempotencyKey !== '' && { headers: { 'idempotency-key': idempotencyKey } }),
      })
    for (const [wrong, at] of [
      [{ kind: 'mailgun', key: 'two words' }, '/key'],
      [{ kind: 'mailgun', key: '' }, '/key'],
      [{ kind: 'ses', key: 'arn:aws:s3:::mail' }, '/key'],
      [{ kind: 'postfix', key }, '/kind'],
    ] as const) {
      const { status, body } = await create(wrong)
      expect([status, body.errors?.[0]?.path]).toEqual([422, at])
    }
    const repeated = randomBytes(8).toString('hex')
    const first = await create({ kind: 'mailgun', key }, repeated)
    const second = await create({ kind: 'mailgun', key }, repeated)
    expect(second.body).toEqual({ ...first.body, report_url: null })
    const shown = await Promise.all(
      [path, '/v1/system', `/v1/audit-log?account_id=${customer().accountId}`].map(
        async url => await call(app(), 'GET', url, { as: operatorToken }),
      ),
    )
    expect(JSON.stringify(shown)).toContain(first.body.id)
    expect(JSON.stringify(shown)).not.toMatch(new RegExp(`${key}|phr_`))
  })
})
