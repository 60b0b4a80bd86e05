import { expect } from 'vitest'
import { customerAt, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { fault } from './fault.ts'
import { reconcile } from './reconcile.ts'
import { startTraffic } from './traffic.ts'

const settings = { POSTHORN_LEASE_SECONDS: '5', POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '3' }

fault('F1', 'what was answered 202 arrives although the process is killed under way', async seen => {
  await using place = await newDatabasePlace(newestServer())
  await using receiver = await startReceiver()
  const installation = newInstallation(place)
  let service = await startService(installation, settings)
  const customer = await newCustomer(service.url, service.operator)
  await customer.newWebhook({ url: receiver.url() })

  const traffic = startTraffic({ url: () => service.url, apiKey: customer.apiKey, pauseMs: 20 })
  const kills = 3
  for (let killed = 0; killed < kills; killed++) {
    await receiver.waitForEvents(receiver.counts().size + 200)
    await service.kill()
    service = await startService(installation, settings)
  }
  await using last = service
  await receiver.waitForEvents(receiver.counts().size + 100)
  await traffic.stop()

  const after = customerAt(last.url, customer.accountId, customer.apiKey)
  const { events, duplicates } = await reconcile(after, receiver, { accepted: traffic.accepted })
  expect(traffic.answers.get(0)).toBeGreaterThan(0)
  seen(`${kills} kills, ${events} events, ${duplicates} delivered twice`)
})
