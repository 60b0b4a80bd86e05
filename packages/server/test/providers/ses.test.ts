import { describe, expect, test } from 'vitest'
import { isSnsCertificateUrl, isSnsUrl } from '../../src/providers/sns-url.ts'
import { call } from '../http/test-app.ts'
import { verbBackends } from '../support/test-database.ts'
import { useProviderApp, type Webhook } from './provider-app.ts'
import {
  bounce,
  certificate,
  complaint,
  delivery,
  expired,
  get,
  host,
  mail,
  message,
  notification,
  pem,
  published,
  read,
  refusedBy,
  type Signed,
  stranger,
  topic,
  webhook,
} from './ses-webhook.ts'

test.each([
  [host, true],
  ['https://sns.us-gov-west-1.amazonaws.com/?Action=ConfirmSubscription', true],
  ['https://sns.cn-north-1.amazonaws.com.cn/', true],
  ['http://sns.eu-west-1.amazonaws.com/', false],
  ['https://sns.eu-west-1.amazonaws.com:8443/', false],
  ['https://user@sns.eu-west-1.amazonaws.com/', false],
  ['https://sns.eu-west-1.amazonaws.com.evil.example/', false],
  ['https://sns.eu-west-1.amazonaws.com.cn.evil.example/', false],
  ['https://evil.example/sns.eu-west-1.amazonaws.com', false],
  ['https://sns.eu-west-1.amazonaws.com@evil.example/', false],
  ['https://evil-sns.eu-west-1.amazonaws.com/', false],
  ['https://sns.evil.eu-west-1.amazonaws.com/', false],
  ['https://mail.sns.eu-west-1.amazonaws.com/', false],
  ['https://s3.eu-west-1.amazonaws.com/', false],
  ['https://sns.amazonaws.com/', false],
  ['sns.eu-west-1.amazonaws.com', false],
  ['', false],
])('%s is a URL of Amazon SNS: %s', (url, is) => {
  expect(isSnsUrl(url)).toBe(is)
})

test('only a file of that host, without a query, is a certificate', () => {
  expect(isSnsCertificateUrl(pem('0123abcd'))).toBe(true)
  for (const path of [
    '/',
    '/?Action=x',
    '/other.pem',
    '/SimpleNotificationService-a.pem?x=1',
    '/a/SimpleNotificationService-a.pem',
    '/SimpleNotificationService-a.pem/..',
  ]) {
    expect([path, isSnsCertificateUrl(host + path)]).toEqual([path, false])
  }
  expect(isSnsCertificateUrl('https://evil.example/SimpleNotificationService-a.pem')).toBe(false)
})

describe.each(verbBackends())('the events of Amazon SES on $name', backend => {
  const { app, customer, sent, newSource, send, report, counted } = useProviderApp(backend, 'ses', topic, get)

  test('a delivery becomes an event, with both versions of the signature', async () => {
    for (const version of ['1', '2'] as const) {
      const named = delivery({ tags: { posthorn_email_id: [`order-${version}`] } })
      expect((await report(notification(named, { version }))).events).toMatchObject([
        {
          type: 'email.delivered',
          email_id: `order-${version}`,
          to: ['ann@example.org'],
          occurred_at: '2026-11-21T04:00:01.000Z',
          smtp_response: { code: 250, enhanced_code: '2.0.0' },
        },
      ])
    }
  })

  test('text that is not valid Unicode loses no report', async () => {
    const refused = refusedBy('smtp; 550 5.1.1 user unknown: ann\udce9', '5.1.1')
    const event = bounce('Permanent', 'General', refused)
    expect((await report(notification(event))).events).toMatchObject([
      { type: 'email.bounced', smtp_response: { message: expect.stringContaining('ann\ufffd') } },
    ])
  })

  test('the certificate is read once', async () => {
    const { url } = await newSource()
    await send(url, notification(delivery()))
    const before = read.length
    await send(url, notification(delivery()))
    expect(read.length).toBe(before)
  })

  test('the reply decides what a bounce means, not its type', async () => {
    const dead = await report(
      notification(bounce('Permanent', 'General', refusedBy('smtp; 550 5.1.1 user unknown', '5.1.1'))),
    )
    expect(dead.events).toMatchObject([{ type: 'email.bounced', smtp_response: { code: 550 } }])
    const { eventType, ...rest } = bounce(
      'Permanent',
      'General',
      refusedBy('smtp; 554 5.7.1 blocked by the policy of example.org', '5.7.1'),
    ) as Record<string, unknown>
    const blocked = await report(notification({ ...rest, notificationType: eventType }))
    expect(blocked.events).toMatchObject([{ type: 'email.failed', failure: { category: 'policy' } }])
    const silent = await report(notification(bounce('Permanent', 'NoEmail', { status: '5.1.1' })))
    expect(silent.events).toMatchObject([{ type: 'email.failed' }])
    const full = await report(
      notification(bounce('Transient', 'MailboxFull', refusedBy('smtp; 452 4.2.2 mailbox full', '4.2.2'))),
    )
    expect(full.events).toMatchObject([{ type: 'email.failed', failure: { expired: true } }])
  })

  test('a suppressed address proves nothing, and a transient bounce without a reply is no outcome', async () => {
    for (const subtype of ['Suppressed', 'OnAccountSuppressionList']) {
      const { events } = await report(notification(bounce('Permanent', subtype)))
      expect(events).toMatchObject([{ type: 'email.failed', failure: { reason: 'recipient_suppressed' } }])
    }
    expect(await report(notification(bounce('Transient', 'General')))).toEqual({
      events: [],
      ignored: ['temporary'],
    })
  })

  test('a complaint unsubscribes its recipient, unless it may be of another one', async () => {
    const one = await report(notification(complaint(['ann@example.org'], { complaintFeedbackType: 'abuse' })))
    expect(one.events).toMatchObject([
      { type: 'email.unsubscribed', unsubscribe: { source: 'complaint', feedback_type: 'abuse' } },
    ])
    const several = await report(notification(complaint(['ann@example.org', 'ben@example.org'])))
    expect(several).toEqual({ events: [], ignored: ['not_an_outcome'] })
    const none = complaint(['ann@example.org'], { complaintFeedbackType: 'not-spam' })
    expect((await report(notification(none))).events).toEqual([])
  })

  test('rejected emails are cancelled, and each recipient has its own event', async () => {
    const rejected = {
      eventType: 'Reject',
      mail: mail({ destination: ['ann@example.org', 'Ben <ben@example.org>'] }),
      reject: { reason: 'Bad content' },
    }
    expect((await report(notification(rejected))).events).toMatchObject([
      { type: 'email.failed', to: ['ann@example.org'], failure: { reason: 'cancelled' } },
      { type: 'email.failed', to: ['ben@example.org'] },
    ])
  })

  test('an unsubscription from everything unsubscribes, and other events create nothing', async () => {
    const wish = (all: boolean): object => ({
      eventType: 'Subscription',
      mail: mail(),
      subscription: { source: 'UnsubscribeHeader', newTopicPreferences: { unsubscribeAll: all } },
    })
    expect((await report(notification(wish(true)))).events).toMatchObject([{ type: 'email.unsubscribed' }])
    expect((await report(notification(wish(false)))).ignored).toEqual(['not_an_outcome'])
    for (const eventType of ['Send', 'Open', 'Click', 'Something New']) {
      expect((await report(notification({ eventType, mail: mail() }))).ignored).toEqual(['not_an_outcome'])
    }
    const delayedRecipients = [{ emailAddress: 'ann@example.org', diagnosticCode: 'smtp; 450 4.2.1 Later' }]
    for (const deliveryDelay of [{ delayType: 'General' }, { delayType: 'General', delayedRecipients }]) {
      const late = { eventType: 'DeliveryDelay', mail: mail(), deliveryDelay }
      expect((await report(notification(late))).ignored).toEqual(['temporary'])
    }
  })

  test('without the tag, the id comes from a header, from Posthorn’s Message-ID, or from SES', async () => {
    const headers = (value: object[]): object => ({ tags: {}, headers: value })
    const named = headers([{ name: 'x-posthorn-email-id', value: 'order-7' }])
    expect((await report(notification(delivery(named)))).events).toMatchObject([{ email_id: 'order-7' }])
    const email = await sent(['ann@example.org'])
    const own = headers([{ name: 'Message-ID', value: `<${email.id}@acme.example>` }])
    expect((await report(notification(delivery(own)))).events).toMatchObject([{ email_id: email.id }])
    const { body } = await call(app(), 'GET', `/v1/emails/${email.id}`, { as: customer().apiKey })
    expect(body['recipients']).toMatchObject([{ state: 'delivered' }])
    const other = { ...headers([]), messageId: '0102-ses-000000' }
    expect((await report(notification(delivery(other)))).events).toMatchObject([
      { email_id: '0102-ses-000000' },
    ])
  })

  test('the subscription is confirmed at the URL of Amazon, once its message is verified', async () => {
    const source = await newSource()
    const url = `${host}/?Action=ConfirmSubscription&TopicArn=${topic}&Token=51b2`
    const ask = (subscribeUrl: string, signed: Signed = {}, type = 'SubscriptionConfirmation') =>
      send(
        source.url,
        webhook(
          message(
            { Type: type, Message: 'You have chosen', Token: '51b2', SubscribeURL: subscribeUrl },
            signed,
          ),
        ),
      )
    const visited = (): string[] => read.filter(one => !one.endsWith('.pem'))
    const before = visited().length
    expect((await ask(url, { by: stranger })).status).toBe(401)
    for (const wrong of [
      url.replace('amazonaws.com', 'evil.example'),
      url.replace('mail', 'another'),
      url.replace('ConfirmSubscription', 'DeleteTopic'),
      'http://169.254.169.254/',
      '',
    ]) {
      expect([wrong, (await ask(wrong)).status]).toEqual([wrong, 401])
    }
    expect((await ask(url, {}, 'UnsubscribeConfirmation')).status).toBe(200)
    expect(visited().length).toBe(before)
    expect((await ask(url)).status).toBe(200)
    expect(visited().slice(before)).toEqual([url])
    const words = message({ Type: 'Notification', Message: 'Successfully validated SNS topic.' })
    expect((await send(source.url, webhook(words))).body['ignored']).toMatchObject([
      { reason: 'not_a_report' },
    ])
  })

  test('a message with a wrong signature, topic or certificate is refused and changes nothing', async () => {
    const source = await newSource()
    const event = delivery()
    const good = message({ Type: 'Notification', Message: JSON.stringify(event) })
    const { Signature: _, ...unsigned } = good
    const wrong: Array<readonly [string, Webhook]> = [
      ['another key', notification(event, { by: stranger })],
      ['an expired certificate', notification(event, { by: expired, certificateUrl: pem('expired') })],
      ['no certificate', notification(event, { certificateUrl: pem('text') })],
      [
        'a foreign host',
        notification(event, { certificateUrl: 'https://evil.example/SimpleNotificationService-a.pem' }),
      ],
      ['a foreign path', notification(event, { certificateUrl: `${host}/a.pem` })],
      ['an altered event', webhook({ ...good, Message: JSON.stringify(delivery()) })],
      ['an altered type', webhook({ ...good, Type: 'UnsubscribeConfirmation' })],
      ['an added subject', webhook({ ...good, Subject: 'Mail' })],
      ['an unknown version', webhook({ ...good, SignatureVersion: '3' })],
      ['the other version', webhook({ ...good, SignatureVersion: '1' })],
      ['no signature', webhook(unsigned)],
      ['another topic', webhook(message({ ...good, TopicArn: `${topic}2` }))],
      ['a raw event', webhook(event)],
      ['no object', webhook([])],
    ]
    for (const [name, one] of wrong) {
      const { status, body } = await send(source.url, one)
      expect([name, status, body.code]).toEqual([name, 401, 'unauthorized'])
    }
    expect(await counted(source, { refused_count: wrong.length })).toMatchObject({ event_count: 0 })
    expect(read.filter(url => url.includes('evil'))).toEqual([])
    expect((await send(source.url, webhook(good))).body).toMatchObject({ accepted: 1 })
    expect((await send(source.url, webhook(good))).body).toMatchObject({ ignored: [{ reason: 'duplicate' }] })
  })

  test('while the certificate cannot be read, the answer asks SNS to try again', async () => {
    const source = await newSource()
    const lost = notification(delivery(), { certificateUrl: pem('later') })
    expect((await send(source.url, lost)).status).toBe(503)
    published.set(pem('later'), certificate.cert)
    expect((await send(source.url, lost)).body).toMatchObject({ accepted: 1 })
    expect(await counted(source, { event_count: 1 })).toMatchObject({ refused_count: 0 })
  })

  test('nonsense with a valid signature is ignored', async () => {
    const { url } = await newSource()
    for (const event of [
      {},
      { eventType: 7 },
      { eventType: 'Bounce' },
      { eventType: 'Bounce', bounce: { bouncedRecipients: [7, null, {}] }, mail: [] },
      { eventType: 'Delivery', delivery: { recipients: [{}, 'nobody', ''] }, mail: mail() },
      { eventType: 'Complaint', complaint: 'x' },
      { notificationType: 'Reject', mail: { destination: 'x' } },
    ]) {
      const { status, body } = await send(url, notification(event))
      expect([JSON.stringify(event), status, body['accepted']]).toEqual([JSON.stringify(event), 200, 0])
    }
  })
})
