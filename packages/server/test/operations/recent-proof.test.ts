import type { SigningKey, SigningKeyStaged } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAdapter } from '../support/adapter.ts'
import { expectStatus, newCustomer } from '../support/api.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { verbBackends, type DatabasePlace, newDatabasePlace } from '../support/test-database.ts'
import { until } from '../support/until.ts'

describe.each(verbBackends())('proof from the last attempts on $name', backend => {
  let place: DatabasePlace
  let service: ServiceProcess
  beforeAll(async () => {
    place = await newDatabasePlace(backend)
    service = await startService(newInstallation(place), { POSTHORN_RETRY_BASE_SECONDS: '3600' })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await place[Symbol.asyncDispose]()
  })

  test('during a rotation the owner sees the count reach "12 of the last 12", test events included', async () => {
    const acme = await newCustomer(service.url, service.operator)
    await using receiver = await openAdapter([`whsec_${'0'.repeat(44)}`])
    const { id, secret } = await acme.newWebhook({ url: receiver.url })
    receiver.configure([secret])
    const recent = async (): Promise<Partial<Record<SigningKey['state'], SigningKey['recent']>>> =>
      Object.fromEntries((await acme.signingKeys(id)).map(key => [key.state, key.recent]))
    const untilRecent = async (expected: Awaited<ReturnType<typeof recent>>): Promise<void> => {
      await until(`it is ${JSON.stringify(expected)}`, async () => {
        const now = await recent()
        return JSON.stringify(now) === JSON.stringify({ ...now, ...expected })
      })
    }
    expect(await recent()).toEqual({ primary: { attempts: 0, verified: 0 } })
    await acme.report(3)
    await untilRecent({ primary: { attempts: 3, verified: 3 } })

    const staged = expectStatus(
      201,
      await acme.api.post<SigningKeyStaged & { secret: string }>(`/v1/webhooks/${id}/signing-keys/stage`),
    )
    expect(staged.recent).toEqual({ attempts: 0, verified: 0 })
    await acme.report(2)
    await untilRecent({ staged: { attempts: 2, verified: 0 }, primary: { attempts: 5, verified: 5 } })

    receiver.configure([secret, staged.secret])
    const path = `/v1/webhooks/${id}/test`
    expectStatus(202, await acme.api.post(path, { type: 'email.bounced' }))
    await untilRecent({ staged: { attempts: 3, verified: 1 } })
    await acme.report(12)
    await untilRecent({ staged: { attempts: 12, verified: 12 }, primary: { attempts: 12, verified: 12 } })

    const promoted = expectStatus(
      200,
      await acme.api.post<SigningKey>(`/v1/webhooks/${id}/signing-keys/${staged.key_id}/promote`),
    )
    expect(promoted.recent).toEqual({ attempts: 12, verified: 12 })
    expect(await recent()).toEqual({ primary: { attempts: 12, verified: 12 }, retired: null })

    // from now on the receiver does not verify the new key
    receiver.configure([secret])
    await acme.report(4)
    await untilRecent({ primary: { attempts: 12, verified: 8 } })
  })
})
