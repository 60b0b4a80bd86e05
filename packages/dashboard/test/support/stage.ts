import type { Browser } from 'playwright-core'
import { type OpenOptions, type OpenPage, openPage } from './browser.ts'
import { type CustomerReceiver, startCustomerReceiver } from './customer-receiver.ts'
import { type DashboardService, startDashboardService, useSharedService } from './dashboard-service.ts'
import { type Furnished, furnish } from './furnish.ts'
import { sharedBrowser } from './in-browser.ts'

/** A service with one customer, a server of theirs, and a browser. */
export interface Stage extends AsyncDisposable {
  readonly service: DashboardService
  readonly receiver: CustomerReceiver
  readonly browser: Browser
  /** A window of its own for the holder of a credential; nothing: for the customer. */
  open(credential?: string | null, look?: Omit<OpenOptions, 'url' | 'credential'>): Promise<OpenPage>
}

/**
 * A new customer of the service that the test files of a worker share.
 * @param settings start a service of its own with these instead
 */
export async function startStage(settings?: Record<string, string>): Promise<Stage> {
  return await stageOf(await (settings === undefined ? useSharedService() : startDashboardService(settings)))
}

/** The same at a service that is disposed of with the stage. */
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

/** A stage with something of everything. */
export interface FurnishedStage extends Stage {
  readonly ids: Furnished
}

let furnished: Promise<FurnishedStage> | undefined

/**
 * The one that the test files of a worker share, which only look, or add keys. Its service has no other customer: the operator's pages
 * show what all of them have. It ends with the worker.
 */
export async function furnishedStage(): Promise<FurnishedStage> {
  furnished ??= startFurnished().then(stage => ({
    ...stage,
    [Symbol.asyncDispose]: async () => await Promise.resolve(),
  }))
  return await furnished
}

async function startFurnished(): Promise<FurnishedStage> {
  // a retry comes by itself only long after the test
  const stage = await startStage({ POSTHORN_RETRY_BASE_SECONDS: '86400' })
  return { ...stage, ids: await furnish(stage.service, stage.receiver) }
}
