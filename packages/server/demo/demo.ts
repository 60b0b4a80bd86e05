import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultEventTypes } from '@posthorn/contract'
import { newCustomer, newEndpoint } from './customer.ts'
import { Outage } from './outage.ts'
import { printTally } from './print-tally.ts'
import { type Arrival, Receiver } from './receiver.ts'
import { rotate } from './rotate.ts'
import { arrival, heading, line, secondsSinceStart, step, success } from './screen.ts'
import { startService } from './service.ts'
import { tellStory } from './story.ts'
import { Traffic } from './traffic.ts'
import { waitUntil } from './wait-until.ts'

/** Shows Posthorn's main job end to end on this machine; resolves with the differences from the expected result. */
async function demo(opened: AsyncDisposableStack): Promise<string[]> {
  heading('Start')
  const dataDir = mkdtempSync(join(tmpdir(), 'posthorn-demo-'))
  opened.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  const outage = new Outage(() => step('the flaky receiver has recovered'))
  const steady = opened.use(await Receiver.open(one => show('steady', one, 200)))
  const flaky = opened.use(await Receiver.open(one => show('flaky', one, outage.statusFor(one))))
  const service = opened.use(await startService(dataDir))
  const customer = await newCustomer(service)
  const steadyEndpoint = await newEndpoint(customer, steady, defaultEventTypes)
  const flakyEndpoint = await newEndpoint(customer, flaky, ['email.bounced', 'email.failed'])
  line(`service          ${service.url}, database in ${dataDir}`)
  line(`steady receiver  ${steady.url}, receives every event`)
  line(`flaky receiver   ${flaky.url}, receives bounces and failures, and fails at first`)

  heading('One outcome of each type')
  const traffic = new Traffic(customer)
  await traffic.reportEachType()
  await waitUntil('all four types have arrived', () => steady.acknowledged.size === defaultEventTypes.length)

  heading('Key rotation under traffic, and retries until the flaky receiver recovers')
  traffic.start()
  await rotate(customer, steadyEndpoint, steady, traffic)
  await waitUntil('the flaky receiver has recovered', () => outage.isOver)
  await traffic.stop()
  step(`stopped the traffic: ${traffic.accepted.size} outcomes reported`)

  heading('Deliveries according to the API and to the receivers')
  const differences = await printTally(
    customer,
    [
      { name: 'steady', receiver: steady, endpoint: steadyEndpoint },
      { name: 'flaky', receiver: flaky, endpoint: flakyEndpoint },
    ],
    traffic,
  )
  const exitCode = await service.stop()
  return exitCode === 0 ? differences : [...differences, `the service exited with ${exitCode}, not with 0`]
}

function show(receiver: string, one: Arrival, status: number): number {
  arrival(receiver, one, status)
  return status
}

await tellStory(demo, () => {
  success('the API and the receivers agree on every event, and every request had a valid signature')
  success(`the service drained and exited with 0; the demo took ${secondsSinceStart()} s`)
})
