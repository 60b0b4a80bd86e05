import type { Browser } from 'playwright-core'
import { type OpenOptions, type OpenPage, openPage } from './browser.ts'
import { type CustomerReceiver, startCustomerReceiver } from './customer-receiver.ts'
import { type DashboardService, startDashboardService, useSharedService } from './dashboard-service.ts'
import { type Furnished, furnish } from './furnish.ts'
import { sharedBrowser } from './in-browser.ts'

/** A service with one customer, the customer's server, and a browser. */
export interface Stage extends AsyncDisposable {
  readonly service: DashboardService
  readonly receiver: CustomerReceiver
  readonly browser: Browser
  /** A separate window for a credential; default: the customer's. */
  open(credential?: string | null, look?: Omit<OpenOptions, 'url' | 'credential'>): Promise<OpenPage>
}

/**
 * A new customer of the service that a worker's test files share.
 * @param settings start a separate service with these instead
 */
export async function startStage(settings?: Record<string, string>): Promise<Stage> {
  return await stageOf(await (settings === undefined ? useSharedService() : startDashboardService(settings)))
}

/** The same with a separate service, which is disposed of with the stage. */
export async function stageOf(service: DashboardService): Promise<Stage> {
  const receiver = await startCustomerReceiver()
  const browser = await sharedBrowser()
  return {
    service,
    receiver,
    browser,
    open: async (credential = service.customer.apiKey, look = {}) =>
      await openPage(browser, { url: service.url, credential, ...look }),
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
    },
  }
}

/** A stage with objects of every kind. */
export interface FurnishedStage extends Stage {
  readonly ids: Furnished
}

let furnished: Promise<FurnishedStage> | undefined

/**
 * The stage for tests that only look or add keys, shared by a worker's test files. Its service has no other
 * customer, because the operator's pages show all customers. It ends with the worker.
 */
export async function furnishedStage(): Promise<FurnishedStage> {
  furnished ??= startFurnished().then(stage => ({
    ...stage,
    [Symbol.asyncDispose]: async () => await Promise.resolve(),
  }))
  return await furnished
}

async function startFurnished(): Promise<FurnishedStage> {
  // retries start long after the test
  const stage = await startStage({ POSTHORN_RETRY_BASE_SECONDS: '86400' })
  return { ...stage, ids: await furnish(stage.service, stage.receiver) }
}
