import { expect } from 'vitest'
import { newCustomer } from '../support/api.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { watchBusyStretch } from './busy-stretch.ts'
import { fault } from './fault.ts'

/** In milliseconds of CPU time. */
const busyMsMax = 200

const reply = '550 5.1.1 User unknown in virtual mailbox table; '.repeat(170)
const thousand = Array.from({ length: 1_000 }, (_, n) => n)

fault(
  'F48',
  'a report with a thousand long replies never keeps the process busy for 200 ms at a time',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    const busy = watchBusyStretch(place)
    await using service = await startService(newInstallation(place), busy.settings)
    const { api } = await newCustomer(service.url, service.operator)
    const outcomes = thousand.map(n => ({
      email_id: `em_${n}`,
      recipient: `reader${n}@example.org`,
      reply: { code: 550, text: reply },
    }))
    const records = thousand.map(n => ({
      type: 'Bounce',
      id: `k${n}`,
      recipient: `reader${n}@example.org`,
      response: { code: 550, content: reply },
      meta: { posthorn_email_id: `kumo_${n}` },
    }))
    for (const [path, body] of [
      ['/v1/outcomes', outcomes],
      ['/v1/sources/kumomta', records],
    ] as const) {
      await busy.begin()
      const answer = await api.post<{ accepted: number }>(path, body)
      expect(answer).toMatchObject({ status: 202, body: { accepted: 1_000 } })
      seen(`${path}: at most ${Math.round(busy.mostMs())} ms`)
      expect(busy.mostMs(), path).toBeLessThan(busyMsMax)
    }
  },
)
