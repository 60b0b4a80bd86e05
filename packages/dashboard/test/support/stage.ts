import type { Browser } from 'playwright-core'
import { type OpenOptions, type OpenPage, openPage, startBrowser } from './browser.ts'
import { type CustomerReceiver, startCustomerReceiver } from './customer-receiver.ts'
import { type DashboardService, startDashboardService } from './dashboard-service.ts'

/** A service with one customer, a server of theirs, and a browser. */
export interface Stage extends AsyncDisposable {
  readonly service: DashboardService
  readonly receiver: CustomerReceiver
  readonly browser: Browser
  /** A window of its own for the holder of a credential; nothing: for the customer. */
  open(credential?: string | null, look?: Omit<OpenOptions, 'url' | 'credential'>): Promise<OpenPage>
}

export async function startStage(settings: Record<string, string> = {}): Promise<Stage> {
  const receiver = await startCustomerReceiver()
  const service = await startDashboardService(settings)
  const browser = await startBrowser()
  return {
    service,
    receiver,
    browser,
    open: async (credential = service.customer.apiKey, look = {}) =>
      await openPage(browser, { url: service.url, credential, ...look }),
    [Symbol.asyncDispose]: async () => {
      await browser[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
    },
  }
}
