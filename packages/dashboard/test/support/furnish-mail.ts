import { readFileSync } from 'node:fs'
import type { SendingDomain, Suppression } from '@posthorn/contract'
import { expectStatus } from '../../../server/test/support/api.ts'
import type { DashboardService } from './dashboard-service.ts'
import { about } from '../../../server/test/providers/mailgun-webhook.ts'
import { reportByMailgun } from './report-by-mailgun.ts'
import { sendEmail } from './send-email.ts'

/** A branding; emails in every state; sending domains that are signed, half correct and new; and suppressed addresses. */
export async function furnishMail(
  service: DashboardService,
): Promise<{ readonly email: string; readonly domain: string }> {
  await furnishBranding(service)
  const domain = await furnishDomains(service)
  await furnishSuppressions(service)
  await furnishSources(service)
  return { email: await furnishEmails(service), domain }
}

async function furnishBranding({ customer: { api } }: DashboardService): Promise<void> {
  const logo = readFileSync(new URL('acme-logo.png', import.meta.url)).toString('base64')
  expectStatus(200, await api.patch('/v1/branding', { name: 'Acme Shop', color: '#0f766e', logo }))
}

async function furnishEmails({ customer }: DashboardService): Promise<string> {
  await sendEmail(customer, { to: ['ann@example.org'], subject: 'Your order 4711 is on its way' })
  await sendEmail(customer, { to: ['busy@example.org'], subject: 'Reset your password' })
  await sendEmail(customer, { to: ['refused@example.org'], subject: 'We miss you' })
  const news = {
    subject: 'What is new at Acme',
    unsubscribe: { list: 'weekly' },
    tags: { campaign: 'week-47' },
  }
  const to = ['Cy <cy@example.org>', 'nobody@example.org', 'left@example.net']
  const id = await sendEmail(customer, { to, cc: ['dee@example.com'], metadata: { order: 4711 }, ...news })
  const delivered = {
    email_id: id,
    recipient: 'cy@example.org',
    disposition: 'accepted',
    reply: { text: '250 2.0.0 Ok: queued as 4F1C22D' },
    remote_mta: { name: 'mx.example.org', ip: '192.0.2.25' },
  }
  expectStatus(202, await customer.api.post('/v1/outcomes', delivered))
  return id
}

async function furnishDomains({ customer, dns }: DashboardService): Promise<string> {
  const { api } = customer
  const add = async (name: string) =>
    expectStatus(201, await api.post<SendingDomain>('/v1/domains', { name }))
  const check = async ({ id }: SendingDomain) =>
    expectStatus(200, await api.post<SendingDomain>(`/v1/domains/${id}/check`))

  const signed = await add('mail.acme.test')
  for (const { name, value } of signed.records.filter(({ type }) => type === 'TXT')) dns.txt(name, value)
  await check(signed)
  const wrong = await add('shop.acme.test')
  dns.txt(dkimName(wrong), 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOC')
  await check(wrong)
  await add('news.acme.test')
  return wrong.id
}

async function furnishSuppressions({ customer: { api } }: DashboardService): Promise<void> {
  const byHand = [
    { address: 'left@example.net', scope: { type: 'list', id: 'weekly' } },
    { address: 'owner.of.a.rather.long.address@department.of.something.example.com' },
    { address: 'back@example.com', scope: { type: 'all_lists' } },
  ]
  const added: Suppression[] = []
  for (const body of byHand)
    added.push(expectStatus(201, await api.post<Suppression>('/v1/suppressions', body)))
  expectStatus(204, await api.delete(`/v1/suppressions/${added.at(-1)?.id}`))
}

/** Reports that are about no known email, which still show that their sources work. */
async function furnishSources(service: DashboardService): Promise<void> {
  const { operator } = service
  const record = {
    recipient: 'ann@example.org',
    disposition: 'accepted',
    reply: '250 2.0.0 Ok',
    occurred_at: '2026-11-21T04:00:01.000Z',
  }
  const records = [
    { ...record, line_id: 'furnished' },
    { ...record, line_id: 'furnished', source: 'lines' },
  ]
  expectStatus(202, await operator.post('/v1/sources/postfix', { records }))
  await reportByMailgun(service, [about('opened'), about('clicked')])
}

export function dkimName({ records }: SendingDomain): string {
  return records.find(({ purpose }) => purpose === 'dkim')?.name ?? ''
}
