import type { SigningKey, SigningKeyPromoted, SigningKeyStaged } from '@posthorn/contract'
import { describe, expect, test } from 'vitest'
import { openAdapter } from '../support/adapter.ts'
import { expectStatus, newCustomer } from '../support/api.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { eachKind, newDatabasePlace } from '../support/test-database.ts'
import { until } from '../support/until.ts'

describe.each(eachKind())('on $name', backend => {
  test('a customer can see that the receiver verifies the staged key before promoting it', async () => {
    await using place = await newDatabasePlace(backend)
    await using service = await startService(newInstallation(place), { POSTHORN_RETRY_BASE_SECONDS: '0.02' })
    const acme = await newCustomer(service.url, service.operator)
    await using adapter = await openAdapter([`whsec_${'0'.repeat(44)}`])
    const { id, secret } = await acme.newWebhook({ url: adapter.url })
    adapter.configure([secret])
    const stage = async (): Promise<SigningKeyStaged & { secret: string }> =>
      expectStatus(
        201,
        await acme.api.post<SigningKeyStaged & { secret: string }>(`/v1/webhooks/${id}/signing-keys/stage`),
      )
    const promote = async (key: SigningKey): Promise<SigningKeyPromoted> =>
      expectStatus(
        200,
        await acme.api.post<SigningKeyPromoted>(`/v1/webhooks/${id}/signing-keys/${key.key_id}/promote`),
      )
    const counts = async (): Promise<Record<string, number>> =>
      Object.fromEntries((await acme.signingKeys(id)).map(key => [key.state, key.verified_count]))
    const untilCounts = async (expected: Record<string, number>): Promise<void> => {
      await until(`the counts are ${JSON.stringify(expected)}`, async () => {
        const now = await counts()
        return Object.entries(expected).every(([state, count]) => now[state] === count)
      })
    }

    // the receiver has only the old secret, so it verifies no other
    const staged = await stage()
    await acme.report(2)
    await untilCounts({ primary: 2, staged: 0 })
    // it gets both secrets and verifies both
    adapter.configure([secret, staged.secret])
    await acme.report(3)
    await untilCounts({ primary: 5, staged: 3 })
    const promoted = await promote(staged)
    expect(promoted).toMatchObject({ state: 'primary', verified_count: 3 })
    expect(promoted.warnings).toBeUndefined()

    // no receiver has the next primary key
    const unknown = await stage()
    const warned = await promote(unknown)
    expect(warned.warnings).toMatchObject([{ code: 'never_verified' }])
    expect(warned).toMatchObject({ state: 'primary', verified_count: 0, last_verified_at: null })
    // the receiver refuses all requests, and a failure proves no key
    await acme.report(1)
    await until('it was refused', async () => (await acme.deliveries(id, '&state=failed')).length === 1)
    expect(await counts()).toMatchObject({ primary: 0 })
  })
})
