import type { ProviderSourceCreated } from '@posthorn/contract'
import { expectStatus } from '../../../server/test/support/api.ts'
import { key, webhook } from '../../../server/test/providers/mailgun-webhook.ts'
import type { DashboardService } from './dashboard-service.ts'

/** Connects Mailgun to the customer's account and lets it report these events. */
export async function reportByMailgun(
  { url, operator, customer }: DashboardService,
  events: readonly object[],
): Promise<void> {
  const path = `/v1/accounts/${customer.accountId}/sources`
  const source = expectStatus(201, await operator.post<ProviderSourceCreated>(path, { kind: 'mailgun', key }))
  const { pathname, search } = new URL(String(source.report_url))
  for (const event of events) {
    const { headers = {}, payload } = webhook(event)
    const { status } = await fetch(`${url}${pathname}${search}`, {
      method: 'POST',
      headers,
      body: String(payload),
    })
    if (status !== 200) throw new Error(`Mailgun’s report got ${status}`)
  }
}
