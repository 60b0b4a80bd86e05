import { type Customer, newCustomer } from '../support/api.ts'
import type { Receiver } from '../support/receiver.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { startTraffic, type Traffic } from './traffic.ts'

/** Creates a customer with one endpoint at the receiver, and starts steady traffic for it. */
export async function customerInTraffic(
  service: ServiceProcess,
  receiver: Receiver,
): Promise<{ customer: Customer; traffic: Traffic }> {
  const customer = await newCustomer(service.url, service.operator)
  await customer.newWebhook({ url: receiver.url() })
  const traffic = startTraffic({ url: () => service.url, apiKey: customer.apiKey, pauseMs: 20 })
  return { customer, traffic }
}
