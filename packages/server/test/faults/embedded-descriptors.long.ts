import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { embedded, newDatabasePlace } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { fault } from './fault.ts'
import { reconcile } from './reconcile.ts'

fault(
  'F8',
  'after a shortage of file descriptors, the embedded database works again, including vacuum',
  async seen => {
    await using place = await newDatabasePlace(embedded)
    await using receiver = await startReceiver()
    await using service = await startService(newInstallation(place))
    const customer = await newCustomer(service.url, service.operator)
    await customer.newWebhook({ url: receiver.url() })
    const accepted = await customer.report(1_000)
    await receiver.waitForEvents(1_000)

    const limit = (soft: number): string =>
      execFileSync('prlimit', ['--pid', String(service.pid), `--nofile=${soft}:`], { encoding: 'utf8' })
    // allow no more files, because the first vacuum creates some
    limit(readdirSync(`/proc/${service.pid}/fd`).length)
    await until('vacuum is refused a file', () => failures() > 0, 60_000)
    limit(4_096)
    await until('the database works again', () => service.output().includes('works again'), 90_000)
    const before = failures()
    accepted.push(...(await customer.report(1_000)))
    await receiver.waitForEvents(2_000)
    const vacuumed = performance.now() + 25_000
    await until('two vacuums were due', () => performance.now() > vacuumed, 60_000)

    const { events } = await reconcile(customer, receiver, { accepted })
    if (failures() > before) throw new Error(`vacuum failed again:\n${service.output()}`)
    seen(`${before} vacuum failures during the shortage, 0 after it; ${events} events`)

    function failures(): number {
      return service.output().split('maintenance: vacuum failed').length - 1
    }
  },
)
