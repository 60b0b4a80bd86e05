import { expect } from 'vitest'
import type { Attempt } from '@posthorn/contract'
import { newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { startService } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { fault } from './fault.ts'
import { newHarmedDatabase } from './harmed-database.ts'
import { runsStatement } from './runs-statement.ts'

fault(
  'F13',
  'a result whose commit was not confirmed is written exactly once, and later results are written too',
  async seen => {
    await using database = await newHarmedDatabase()
    await using receiver = await startReceiver(({ path }) => (path === '/fails' ? 500 : 204))
    await using service = await startService(database.harmed, { POSTHORN_RETRY_BASE_SECONDS: '10000' })
    const customer = await newCustomer(service.url, service.operator)
    const [works, fails] = await Promise.all(
      ['/works', '/fails'].map(async path => await customer.newWebhook({ url: receiver.url(path) })),
    )
    const isCut = database.proxy.cutReplyAfter(runsStatement('settle'))
    await customer.report(1)
    await isCut
    await customer.report(1)

    const settled = await until('all results are written', async () => {
      const all = [
        ...(await customer.deliveries(works?.id ?? '')),
        ...(await customer.deliveries(fails?.id ?? '')),
      ]
      return all.every(one => one.attempt_count > 0) ? all : undefined
    })
    expect(settled.map(one => [one.state, one.attempt_count])).toEqual([
      ['delivered', 1],
      ['delivered', 1],
      ['failed', 1],
      ['failed', 1],
    ])
    const withAttempts = await Promise.all(
      settled.map(async ({ id }) => await customer.api.get<{ attempts: Attempt[] }>(`/v1/deliveries/${id}`)),
    )
    expect(withAttempts.map(({ body }) => body.attempts.length)).toEqual([1, 1, 1, 1])
    expect(receiver.received).toHaveLength(4)
    seen('successes and failures, each with one attempt')
  },
)
