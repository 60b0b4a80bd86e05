import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { percentile } from '../../../../bench/support/percentile.ts'
import { newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { fault } from './fault.ts'
import { lasting } from './haste.ts'
import { reconcile } from './reconcile.ts'
import { startTraffic } from './traffic.ts'

const outcomesEach = 1_000
const latencyMsMax = 30_000
const recoveryMsMax = 10_000

interface Answer {
  status: number
  retryAfter: string | null
  tookMs: number
}

fault(
  'G7',
  'under twice its capacity, the service rejects the excess with Retry-After and recovers within ten seconds',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    await using receiver = await startReceiver()
    await using service = await startService(newInstallation(place), { POSTHORN_RETRY_BASE_SECONDS: '1' })
    const flooding = await newCustomer(service.url, service.operator)
    const modest = await newCustomer(service.url, service.operator)
    await modest.newWebhook({ url: receiver.url() })
    const body = JSON.stringify(
      Array.from({ length: outcomesEach }, (_, n) => ({
        type: 'email.delivered',
        data: { email_id: `em_${n}`, to: [`reader${n}@example.org`] },
      })),
    )
    const report = async (): Promise<Answer> => {
      const fromMs = performance.now()
      const response = await fetch(`${service.url}/v1/outcomes`, {
        method: 'POST',
        headers: { authorization: `Bearer ${flooding.apiKey}`, 'content-type': 'application/json' },
        body,
      })
      await response.arrayBuffer()
      const retryAfter = response.headers.get('retry-after')
      return { status: response.status, retryAfter, tookMs: performance.now() - fromMs }
    }

    const capacity = await capacityPerSecond(report, lasting(10))
    const traffic = startTraffic({
      url: () => service.url,
      apiKey: modest.apiKey,
      reporters: 2,
      batch: 5,
      pauseMs: 100,
    })
    const answers = await offer(report, 2 * capacity, lasting(60))
    const recoveringFromMs = performance.now()
    await until(
      'a report is answered at once',
      async () => {
        const { status, tookMs } = await report()
        return status === 202 && tookMs < 1_000
      },
      recoveryMsMax,
    )
    const recoveredMs = performance.now() - recoveringFromMs
    await traffic.stop()

    const accepted = answers.filter(({ status }) => status === 202)
    const refused = answers.filter(({ status }) => status === 503 || status === 429)
    expect(accepted.length + refused.length).toBe(answers.length)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.every(({ retryAfter }) => retryAfter !== null)).toBe(true)
    const tookMs = accepted.map(answer => answer.tookMs)
    expect(Math.max(...tookMs)).toBeLessThan(latencyMsMax)
    const { events } = await reconcile(modest, receiver, { accepted: traffic.accepted })
    const perSecond = (requests: number): string => (requests * outcomesEach).toFixed(0)
    seen(`${perSecond(2 * capacity)} events per second offered at a capacity of ${perSecond(capacity)}`)
    seen(`${accepted.length} reports of ${outcomesEach} outcomes accepted, ${refused.length} rejected`)
    seen(
      `accepted within ${seconds(percentile(tookMs, 0.5))} (median), ${seconds(Math.max(...tookMs))} at most`,
    )
    seen(`recovered after ${seconds(recoveredMs)}; ${events} events of another account arrived`)
  },
  600_000,
)

/** Reports one after the other on a few connections. */
async function capacityPerSecond(report: () => Promise<Answer>, ms: number): Promise<number> {
  const untilMs = performance.now() + ms
  let reports = 0
  const again = async (): Promise<void> => {
    while (performance.now() < untilMs) {
      if ((await report()).status === 202) reports++
    }
  }
  await Promise.all(Array.from({ length: 8 }, again))
  return (reports * 1_000) / ms
}

/** Reports at times that do not depend on the answers. */
async function offer(report: () => Promise<Answer>, perSecond: number, ms: number): Promise<Answer[]> {
  const fromMs = performance.now()
  const answers: Array<Promise<Answer>> = []
  for (let n = 0; (n * 1_000) / perSecond < ms; n++) {
    await wait(Math.max(0, fromMs + (n * 1_000) / perSecond - performance.now()))
    answers.push(report())
  }
  return await Promise.all(answers)
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
