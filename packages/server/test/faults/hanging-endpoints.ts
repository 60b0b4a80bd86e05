import { expect } from 'vitest'
import { newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { fault } from './fault.ts'
import { newWebhooks } from './many-webhooks.ts'
import { metric } from './metric.ts'

/** Attempts in flight. The hanging endpoints have many times more deliveries. */
const inFlightMax = 400
/** While the receivers hang, none of their attempts ends. */
const attemptTimeoutSeconds = 60
const events = 200

/** The healthy endpoint must get all of its events before the first hanging attempt times out. */
export function besideHangingEndpoints(count: number, timeoutMs?: number): void {
  const promise = `an endpoint gets its events at once although ${count.toLocaleString('en')} others hang, and sockets are limited`
  fault(
    'F47',
    promise,
    async seen => {
      await using place = await newDatabasePlace(newestServer())
      await using hanging = await startReceiver(() => undefined)
      await using healthy = await startReceiver()
      await using service = await startService(newInstallation(place), {
        POSTHORN_MAX_IN_FLIGHT: String(inFlightMax),
        POSTHORN_ATTEMPT_TIMEOUT_SECONDS: String(attemptTimeoutSeconds),
        POSTHORN_LEASE_SECONDS: String(2 * attemptTimeoutSeconds),
      })
      const crowd = await newCustomer(service.url, service.operator, count)
      const calm = await newCustomer(service.url, service.operator)
      await newWebhooks(crowd, count, n => hanging.url(`/hangs/${n}`))
      await calm.newWebhook({ url: healthy.url() })

      const beganAtMs = Date.now()
      await crowd.report(3)
      await hanging.waitForEvents(1)
      const latenciesMs: number[] = []
      for (let n = 1; n <= events; n++) {
        const sentAtMs = Date.now()
        await calm.report(1)
        await healthy.waitForEvents(n)
        latenciesMs.push(Date.now() - sentAtMs)
      }
      expect(Date.now() - beganAtMs, 'none of the hanging attempts has ended').toBeLessThan(
        attemptTimeoutSeconds * 1_000,
      )
      const sockets = await metric(service, 'posthorn_egress_sockets')
      expect(sockets).toBeLessThanOrEqual(inFlightMax * 1.1)
      latenciesMs.sort((a, b) => a - b)
      seen(
        `${count.toLocaleString('en')} hanging endpoints: p99 ${latenciesMs[Math.floor(events * 0.99)]} ms, ${sockets} sockets`,
      )
    },
    timeoutMs,
  )
}
