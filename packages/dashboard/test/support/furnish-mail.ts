import type { SendingDomain, Suppression } from '@posthorn/contract'
import { expectStatus } from '../../../server/test/support/api.ts'
import type { DashboardService } from './dashboard-service.ts'

/** Sending domains that are signed, half right and new, and addresses that mail is held back from. */
export async function furnishMail({ customer, dns }: DashboardService): Promise<{ domain: string }> {
  const { api } = customer
  const add = async (name: string) =>
    expectStatus(201, await api.post<SendingDomain>('/v1/domains', { name }))
  const check = async ({ id }: SendingDomain) =>
    expectStatus(200, await api.post<SendingDomain>(`/v1/domains/${id}/check`))

  const signed = await add('mail.acme.test')
  for (const { name, value } of signed.records.filter(({ type }) => type === 'TXT')) dns.txt(name, value)
  await check(signed)
  const wrong = await add('shop.acme.test')
  dns.txt(dkimName(wrong), 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOC', '<b>no key</b> \u202Eyek')
  await check(wrong)
  await add('news.acme.test')

  const byHand = [
    { address: 'left@example.net', scope: { type: 'list', id: 'weekly' } },
    { address: 'owner.of.a.rather.long.address@department.of.something.example.com' },
    { address: 'back@example.com', scope: { type: 'all_lists' } },
  ]
  const added: Suppression[] = []
  for (const body of byHand)
    added.push(expectStatus(201, await api.post<Suppression>('/v1/suppressions', body)))
  expectStatus(204, await api.delete(`/v1/suppressions/${added.at(-1)?.id}`))
  return { domain: wrong.id }
}

export function dkimName({ records }: SendingDomain): string {
  return records.find(({ purpose }) => purpose === 'dkim')?.name ?? ''
}
