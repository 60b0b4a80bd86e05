import type { Account } from '@posthorn/contract'
import { describe, expect, test } from 'vitest'
import { type Customer, expectStatus, newCustomer } from '../support/api.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'

describe.each([newestServer()])('a running service on $name', backend => {
  test('suspends an account by the settings within two minutes, and only for the rate that has one', async () => {
    await using place = await newDatabasePlace(backend)
    await using service = await startService(newInstallation(place), {
      POSTHORN_SUSPEND_BOUNCE_RATE: '5%',
      POSTHORN_SUSPEND_MIN_OUTCOMES: '20',
    })
    const [bouncing, complaining, small] = [
      await newCustomer(service.url, service.operator),
      await newCustomer(service.url, service.operator),
      await newCustomer(service.url, service.operator),
    ]
    const report = async ({ api }: Customer, type: string, count: number, more: object = {}) => {
      const outcomes = Array.from({ length: count }, (_, n) => ({
        type,
        data: { email_id: `em_${type}${n}`, to: [`r${n}@one.example`], ...more },
      }))
      expectStatus(202, await api.post('/v1/outcomes', outcomes))
    }
    await report(bouncing, 'email.delivered', 18)
    await report(bouncing, 'email.bounced', 2)
    await report(complaining, 'email.delivered', 20)
    await report(complaining, 'email.unsubscribed', 20, { unsubscribe: { source: 'complaint' } })
    await report(small, 'email.bounced', 19)
    const accountOf = async ({ accountId }: Customer): Promise<Account> =>
      expectStatus(200, await service.operator.get<Account>(`/v1/accounts/${accountId}`))
    await until(
      'the account is suspended',
      async () => (await accountOf(bouncing)).suspended_reason === 'bounce_rate',
      150_000,
    )
    for (const one of [complaining, small]) expect((await accountOf(one)).suspended_at).toBeNull()
  })
})
