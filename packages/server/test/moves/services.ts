import { randomBytes } from 'node:crypto'
import { readConfig } from '../../src/config.ts'
import { openFront } from '../../src/front/open-front.ts'
import { createLog } from '../../src/log.ts'
import { startTraffic, type Traffic } from '../faults/traffic.ts'
import { connectApi, type Customer, newCustomer } from '../support/api.ts'
import { startService } from '../support/service-process.ts'
import type { TwoShards } from './two-shards.ts'

/** A process of each shard, and a front before them. */
export interface Services extends AsyncDisposable {
  /** The URL of the front. */
  url: string
  /** A new customer on shard 0. */
  newCustomer(): Promise<Customer>
  /** Reports through the front, until it is stopped. */
  startTraffic(customer: Customer): Traffic
}

/** @param settings of the shards */
export async function startServices(
  shards: TwoShards,
  settings: Record<string, string> = {},
): Promise<Services> {
  const { installations } = shards
  await using opened = new AsyncDisposableStack()
  const keys = { POSTHORN_SHARD_KEYS: `first:${randomBytes(32).toString('base64')}` }
  const common = { ...keys, POSTHORN_PUBLIC_URL: 'http://127.0.0.1:4100' }
  const urls = []
  for (const [number, installation] of installations.entries()) {
    const service = opened.use(await startService(installation, { ...common, ...settings }))
    urls.push(`${number}=${service.url}`)
  }
  const { adminToken } = installations[0]
  const { config } = readConfig({
    ...common,
    POSTHORN_HOST: '127.0.0.1',
    POSTHORN_PORT: '0',
    POSTHORN_LOG_LEVEL: 'silent',
    POSTHORN_ROLE: 'front',
    POSTHORN_ADMIN_TOKEN: adminToken,
    POSTHORN_SHARDS: urls.join(','),
  })
  const { url } = opened.use(await openFront(config, createLog('silent')))
  const all = opened.move()
  return {
    url,
    newCustomer: async () => {
      for (;;) {
        const customer = await newCustomer(url, connectApi(url, adminToken))
        if ((await shards.placeOf(customer.accountId)) === 0) return customer
      }
    },
    startTraffic: ({ apiKey }) => startTraffic({ url: () => url, apiKey, batch: 5, pauseMs: 20 }),
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}
