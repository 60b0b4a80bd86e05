import type { EmailAccepted } from '@posthorn/contract'
import { expectStatus } from '../../../server/test/support/api.ts'
import { until } from '../../../server/test/support/until.ts'
import type { CustomerReceiver } from './customer-receiver.ts'
import type { DashboardService } from './dashboard-service.ts'
import { type Furnished, furnish } from './furnish.ts'
import { about } from '../../../server/test/providers/mailgun-webhook.ts'
import { reportByMailgun } from './report-by-mailgun.ts'

const people = [
  'ann.kovac',
  'jonas.lindqvist',
  'maria-teresa.dos-santos',
  'o.petrenko',
  'li.wei',
  'fatima.el-amrani',
  'b.nowak',
  'chloe.martin',
  'yusuf.demir',
  'accounts.payable.department',
]
const hosts = [
  'gmail.com',
  'outlook.com',
  'gmx.de',
  'yahoo.com',
  'orange.fr',
  'mail.example.org',
  'icloud.com',
]
const subjects = [
  'Your order 4711 is on its way',
  'Reset your password',
  'Your invoice for November',
  'What is new at Acme: week 48',
  'Please confirm your email address',
]
const bounces = [
  '550 5.1.1 The email account that you tried to reach does not exist',
  '550 5.1.2 Bad destination mailbox address',
  '554 5.2.1 The mailbox is disabled',
]
const failures = [
  '554 5.7.1 Message rejected as spam',
  '552 5.2.2 The mailbox is full',
  '421 4.4.2 Connection timed out',
]

/** Furnishes an account and adds a thousand outcomes, and dozens of emails, addresses, domains, keys and accounts. */
export async function furnishBusily(
  service: DashboardService,
  receiver: CustomerReceiver,
): Promise<Furnished> {
  const ids = await furnish(service, receiver)
  const { api } = service.customer
  const warehouse = await service.customer.newWebhook({
    url: receiver.url('/warehouse/ingest/outcomes'),
    description: 'Data warehouse',
  })
  receiver.behave('/warehouse/ingest/outcomes', { kind: 'answers', status: 204 })
  await sendEmails(service, 60)
  expectStatus(202, await api.post('/v1/outcomes', Array.from({ length: 1_000 }, outcome)))
  await suppressAndAdd(service)
  await reportByMailgun(service, ['unsubscribed', 'complained', 'delivered', 'opened'].map(foreign))
  await degrade(service, receiver)
  await until('the warehouse has everything', async () => {
    const { length } = receiver.acknowledged('/warehouse/ingest/outcomes')
    return length >= 1_000 && (await service.customer.deliveries(warehouse.id, '&state=pending')).length === 0
  })
  return ids
}

/** About an email that Posthorn did not send, with the Message-ID as its id. */
function foreign(event: string): object {
  return about(event, { 'user-variables': {} })
}

function outcome(_: unknown, n: number): Record<string, unknown> {
  const recipient = address(n)
  const queueId = (0x4f1c22d + n * 7_919).toString(16).toUpperCase()
  const data = {
    email_id: `20261120093000.${queueId}@mail.acme-shop.test`,
    to: [recipient],
    subject: subjects[n % subjects.length],
  }
  if (n % 17 === 0) {
    return { type: 'email.unsubscribed', data: { ...data, unsubscribe: { source: 'one_click' } } }
  }
  const reply =
    n % 9 === 0
      ? bounces[n % bounces.length]
      : n % 11 === 0
        ? failures[n % failures.length]
        : '250 2.0.0 OK: queued as 4F1C22D'
  return {
    email_id: data.email_id,
    recipient,
    disposition: n % 9 === 0 || n % 11 === 0 ? 'permanent' : 'accepted',
    reply: { text: reply },
    remote_mta: { name: `mx1.${recipient.split('@')[1]}`, ip: '192.0.2.25' },
  }
}

async function sendEmails({ customer: { api } }: DashboardService, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const to = [
      n % 4 === 0 ? `Оксана Петренко <${address(n)}>` : address(n),
      ...(n % 7 === 0 ? [address(n + 3), address(n + 5)] : []),
    ]
    const subject = subjects[n % subjects.length]
    const body = { from: 'Acme Shop <shop@mail.acme.test>', to, subject, text: 'Thank you.' }
    expectStatus(202, await api.post<EmailAccepted>('/v1/emails', body))
  }
}

/** An endpoint with a long name and a long URL that answers half of its events. */
async function degrade({ customer }: DashboardService, receiver: CustomerReceiver): Promise<void> {
  const path = `/partners/${'northwind-insurance-and-pensions/'.repeat(4)}hooks`
  const description = 'Склад даних партнера · Northwind Insurance and Pensions (second region)'
  receiver.behave(path, { kind: 'answers', status: 204 })
  const { id } = await customer.newWebhook({
    url: receiver.url(path),
    description,
    events: ['email.bounced'],
  })
  const report = async (first: number, state: string): Promise<void> => {
    expectStatus(
      202,
      await customer.api.post(
        '/v1/outcomes',
        Array.from({ length: 25 }, (_, n) => bounce(first + n)),
      ),
    )
    await until(`25 deliveries are ${state}`, async () => {
      return (await customer.deliveries(id, `&state=${state}`)).length >= 25
    })
  }
  await report(2_000, 'delivered')
  receiver.behave(path, { kind: 'answers', status: 503, body: 'upstream connect error' })
  await report(2_100, 'failed')
}

function bounce(n: number): Record<string, unknown> {
  const reply = { text: bounces[n % bounces.length] }
  return { email_id: `em_campaign48-${n}`, recipient: address(n), disposition: 'permanent', reply }
}

async function suppressAndAdd({ customer, operator }: DashboardService): Promise<void> {
  const { api } = customer
  for (let n = 0; n < 60; n++) {
    expectStatus(201, await api.post('/v1/suppressions', { address: `former.${address(n)}` }))
  }
  for (const name of ['receipts', 'news', 'a-department-with-a-rather-long-name']) {
    expectStatus(201, await api.post('/v1/domains', { name: `${name}.acme-shop.test` }))
  }
  for (const name of ['Shop backend', 'Nightly export for the data warehouse', 'Нічний експорт', 'CI']) {
    expectStatus(201, await api.post('/v1/api-keys', { name, scopes: ['read'] }))
  }
  for (const name of [
    'Bluebird Travel',
    'Café Zentral',
    '株式会社ポスト',
    'Northwind Insurance and Pensions Ltd.',
  ]) {
    expectStatus(201, await operator.post('/v1/accounts', { name, max_endpoints: 20 }))
  }
}

function address(n: number): string {
  return `${people[n % people.length]}@${hosts[n % hosts.length]}`
}
