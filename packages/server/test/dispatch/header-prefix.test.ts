import { createVerifier } from '@posthorn/receiver'
import { expect, test } from 'vitest'
import { expectStatus, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'

test('the operator’s prefix is in the headers of attempts, in their log and in the proof of a receiver', async () => {
  await using place = await newDatabasePlace(newestServer())
  await using service = await startService(newInstallation(place), { POSTHORN_HEADER_PREFIX: 'X-Acme' })
  const acme = await newCustomer(service.url, service.operator)
  await using receiver = await startReceiver((_one, response) => {
    response.setHeader('X-Acme-Verified', 'v1')
    return 204
  })
  const { id, secret } = await acme.newWebhook({ url: receiver.url() })
  await acme.report(1)
  await until('it is delivered', async () => (await acme.deliveries(id, '&state=delivered')).length === 1)

  const [one] = receiver.received
  const own = Object.keys(one?.headers ?? {}).filter(name => name.startsWith('x-'))
  expect(own.toSorted()).toEqual([
    'x-acme-attempt',
    'x-acme-delivery-id',
    'x-acme-event-id',
    'x-acme-sequence',
    'x-acme-signature',
  ])
  const verifier = createVerifier({ secrets: secret, headerName: 'X-Acme-Signature' })
  expect(await verifier.verify(one?.body ?? '', one?.headers ?? {})).toMatchObject({ partName: 'v1' })

  const [delivery] = await acme.deliveries(id)
  const { attempts } = (await acme.api.get<Detail>(`/v1/deliveries/${delivery?.id}`)).body
  expect(attempts[0]).toMatchObject({
    verified_by: 'v1',
    request_headers: {
      'X-Acme-Signature': one?.headers['x-acme-signature'],
      'X-Acme-Event-Id': delivery?.event_id,
      'X-Acme-Attempt': '1',
    },
  })
  const refused = await acme.api.patch(`/v1/webhooks/${id}`, { headers: { 'X_Acme-Team': 'mail' } })
  expectStatus(422, refused)
  expect(JSON.stringify(refused.body)).toContain('x_acme-team cannot be set')
})

interface Detail {
  readonly attempts: readonly object[]
}
