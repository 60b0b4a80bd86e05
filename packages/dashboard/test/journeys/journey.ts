import type { Page } from 'playwright-core'
import { type Customer, newCustomer } from '../../../server/test/support/api.ts'
import { type Hand, handOn } from '../support/clicks.ts'
import type { CustomerReceiver } from '../support/customer-receiver.ts'
import type { DashboardService } from '../support/dashboard-service.ts'
import type { Stage } from '../support/stage.ts'

/** The start of a journey: a separate account, the customer's server, and a page that is not open yet. */
export interface Journey {
  readonly service: DashboardService
  readonly customer: Customer
  readonly receiver: CustomerReceiver
  /** A path of the receiver that no other journey uses. */
  readonly path: string
  readonly page: Page
  readonly hand: Hand
  /** The text on the browser's clipboard. */
  readonly clipboard: () => Promise<string>
}

let journeys = 0

/** Prepares a journey for one person, runs it, and reports the browser's complaints. */
export async function walk(
  stage: Stage,
  by: 'mouse' | 'keyboard',
  as: 'customer' | 'operator',
  story: (journey: Journey) => Promise<void>,
): Promise<{ clicks: number; complaints: string[] }> {
  const { service, receiver } = stage
  const customer = await newCustomer(service.url, service.operator, 10)
  const credential = as === 'operator' ? service.operatorToken : customer.apiKey
  await using visitor = await stage.open(credential)
  const { page, complaints } = visitor
  const hand = handOn(page, by)
  journeys++
  await story({
    service,
    customer,
    receiver,
    path: `/journey-${journeys}`,
    page,
    hand,
    clipboard: async () => await page.evaluate(async () => await navigator.clipboard.readText()),
  })
  return { clicks: hand.clicks, complaints }
}
