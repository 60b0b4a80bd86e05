import type { ServerResponse } from 'node:http'
import { expect } from 'vitest'
import { openDatabase } from '../../src/db/open-database.ts'
import { newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { fault } from './fault.ts'

fault(
  'F15',
  'if a lease ends while an attempt is in flight, two processes deliver, and the late result changes no state',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    await using db = await openDatabase({
      url: place.databaseUrl,
      dataDir: '',
      connectionsMax: 1,
      onLost: () => {},
    })
    const late: Array<{ path: string; response: ServerResponse }> = []
    const lateStatus: Record<string, number> = {
      '/late-success': 204,
      '/late-failure': 500,
      '/late-410': 410,
    }
    const paths = Object.keys(lateStatus)
    await using receiver = await startReceiver(({ path }, response) => {
      if (late.some(one => one.path === path)) return 204
      late.push({ path, response })
      return undefined
    })
    const installation = newInstallation(place)
    await using service = await startService(installation, { POSTHORN_RETRY_BASE_SECONDS: '3600' })
    await using _other = await startService(installation, { POSTHORN_ROLE: 'dispatcher' })
    const hooks = await Promise.all(
      paths.map(async path => {
        const customer = await newCustomer(service.url, service.operator)
        const { id } = await customer.newWebhook({ url: receiver.url(path) })
        await customer.report(1)
        return { customer, id }
      }),
    )
    const deliveries = async () =>
      (await Promise.all(hooks.map(async ({ customer, id }) => await customer.deliveries(id)))).flat()
    await until('all are under way', () => late.length === paths.length)

    const before = await db.query<{ number: number }>('select number from process')
    await until('the leases have ended', async () => {
      // a renewal may happen before any process notices that a lease has ended
      await db.query(
        `update process set leased_until = now() - interval '1 second' where number = any($1::bigint[])`,
        [before.map(({ number }) => number)],
      )
      const now = await db.query<{ number: number }>('select number from process')
      return !now.some(({ number }) => before.some(one => one.number === number))
    })
    await until('all were delivered by somebody', async () =>
      (await deliveries()).every(one => one.state === 'delivered'),
    )
    for (const { path, response } of late) response.writeHead(lateStatus[path] ?? 204).end()
    const all = await until('the late results are written', async () => {
      const now = await deliveries()
      return now.every(one => one.attempt_count === 2) && now
    })
    expect(all.map(one => [one.state, one.next_attempt_at])).toEqual(paths.map(() => ['delivered', null]))
    expect(receiver.received).toHaveLength(2 * paths.length)
    seen(`${paths.length} deliveries sent twice; late results: ${Object.values(lateStatus).join(', ')}`)
  },
)
