import type { Attempt, Delivery, Webhook } from '@posthorn/contract'
import { type Customer, customerAt, expectStatus, newCustomer, type Page } from '../support/api.ts'
import { type ServiceProcess, startService, newInstallation } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'

/** An endpoint that misbehaves, with its name in the test. */
export interface FaultyEndpoint {
  url: string
  /** The number of complete requests that have reached it. */
  requests: () => number
}

/** What the customer sees about the event that an endpoint was sent. */
export interface Told {
  webhook: Webhook
  delivery: Delivery
  attempts: Attempt[]
  /** The first attempt. */
  attempt: Attempt
  requests: number
}

/** A service with one webhook for each of several faulty endpoints. */
export interface FaultyEndpoints extends AsyncDisposable {
  service(): ServiceProcess
  customer: Customer
  /** Sends one event to all of them and waits until no attempt is in flight. */
  sendAll(): Promise<void>
  told(name: string): Promise<Told>
  /** Requests another attempt and waits for its end. */
  tryAgain(name: string): Promise<Told>
  /** Replaces the process. */
  restart(): Promise<void>
}

/** An outcome that only the faulty endpoints subscribe to, so that each gets exactly one event. */
const bounced = {
  type: 'email.bounced',
}

export async function startFaultyEndpoints(
  endpoints: Readonly<Record<string, FaultyEndpoint>>,
  settings: Record<string, string> = {},
): Promise<FaultyEndpoints> {
  await using opened = new AsyncDisposableStack()
  const place = opened.use(await newDatabasePlace(newestServer()))
  const installation = newInstallation(place)
  const start = async (): Promise<ServiceProcess> =>
    await startService(installation, { ...noRetry, ...settings })
  let service = await start()
  opened.defer(async () => await service.kill())
  let customer = await newCustomer(service.url, service.operator)
  const webhooks = new Map<string, string>()
  for (const [name, { url }] of Object.entries(endpoints)) {
    webhooks.set(name, (await customer.newWebhook({ url, events: ['email.bounced'] })).id)
  }
  const deliveryOf = async (webhookId: string): Promise<Delivery> => {
    const [found] = await customer.deliveries(webhookId)
    if (found === undefined) throw new Error('no event was sent to it')
    return expectStatus(200, await customer.api.get<Delivery>(`/v1/deliveries/${found.id}`))
  }
  const told = async (name: string): Promise<Told> => {
    const id = webhooks.get(name) ?? ''
    const webhook = expectStatus(200, await customer.api.get<Webhook>(`/v1/webhooks/${id}`))
    const delivery = await deliveryOf(id)
    const { attempts = [] } = delivery
    const [attempt] = attempts
    if (attempt === undefined) throw new Error(`${name} was not tried`)
    return { webhook, delivery, attempts, attempt, requests: endpoints[name]?.requests() ?? 0 }
  }
  const running = opened.move()
  return {
    service: () => service,
    customer,
    sendAll: async () => {
      const [event] = await customer.report(1, bounced)
      await until('every faulty endpoint was tried', async () => {
        const path = `/v1/deliveries?event_id=${event}&limit=250`
        const { data } = expectStatus(200, await customer.api.get<Page<Delivery>>(path))
        return data.length >= webhooks.size && data.every(({ state }) => state !== 'pending')
      })
    },
    told,
    tryAgain: async name => {
      const { delivery } = await told(name)
      expectStatus(202, await customer.api.post(`/v1/deliveries/${delivery.id}/retry`))
      return await until(`${name} was tried again`, async () => {
        const now = await told(name)
        return now.attempts.length > delivery.attempt_count && now
      })
    },
    restart: async () => {
      await service.kill()
      service = await start()
      customer = customerAt(service.url, customer.accountId, customer.apiKey)
    },
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  }
}

/** The next try is after the end of every test. */
const noRetry = { POSTHORN_RETRY_BASE_SECONDS: '10000000', POSTHORN_RETRY_CAP_SECONDS: '10000000' }

/** The next try is due at once, unless the receiver asks for a delay. */
export const retriesAtOnce = { POSTHORN_RETRY_BASE_SECONDS: '0', POSTHORN_RETRY_CAP_SECONDS: '0' }
