import type { Stats } from '@posthorn/contract'
import { expectStatus } from '../../../server/test/support/api.ts'
import { until } from '../../../server/test/support/until.ts'
import type { Journey } from './journey.ts'

/** After a campaign: how much of it arrived, whether too much bounced, and who did not get it. */
export async function howDidMyCampaignGo({ customer, page, hand }: Journey): Promise<void> {
  const outcome = (type: string, n: number) => ({
    type,
    data: { email_id: 'em_campaign', to: [`${type}${n}@example.org`] },
  })
  const outcomes = [
    ...Array.from({ length: 46 }, (_, n) => outcome('email.delivered', n)),
    ...Array.from({ length: 3 }, (_, n) => outcome('email.bounced', n)),
    outcome('email.failed', 0),
  ]
  expectStatus(202, await customer.api.post('/v1/outcomes', outcomes))
  await until('all are counted', async () => {
    const { outcomes: counted } = expectStatus(200, await customer.api.get<Stats>('/v1/stats'))
    return counted?.total.delivered === 46 && counted.total.bounced === 3 && counted.total.failed === 1
  })

  await page.goto('/')
  const emails = page.getByRole('region', { name: 'Email' })
  await emails.getByText('46 of 50 emails').waitFor()
  const bounceRate = emails.getByText('Bounce rate', { exact: true }).first().locator('..')
  await bounceRate.getByText('6%').waitFor()
  await bounceRate.getByText('Too high').waitFor()
  await bounceRate.getByText('3 of 50 emails').waitFor()
  await hand.click(emails.getByRole('list', { name: 'Legend' }).first().getByRole('link', { name: '3' }))

  await page.getByRole('heading', { name: 'Events' }).waitFor()
  for (const n of [0, 1, 2]) await page.getByText(`email.bounced${n}@example.org`).first().waitFor()
}
