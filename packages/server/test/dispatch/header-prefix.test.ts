import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createVerifier } from '@posthorn/receiver'
import { signHeader } from '@posthorn/receiver/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { posthorn, spawnPosthorn } from '../cli/posthorn-process.ts'
import { expectStatus, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { type DatabasePlace, newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'

const env = { POSTHORN_HEADER_PREFIX: 'X-Acme' }
let place: DatabasePlace
let service: ServiceProcess
beforeAll(async () => {
  place = await newDatabasePlace(newestServer())
  service = await startService(newInstallation(place), env)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await place[Symbol.asyncDispose]()
})

test('the operator’s prefix is in the headers of attempts, in their log and in the proof of a receiver', async () => {
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
  expectStatus(200, await acme.api.post(`/v1/webhooks/${id}/check`, {}))
  const checks = receiver.received.slice(1).map(({ headers }) => headers)
  expect(checks.length).toBeGreaterThan(0)
  for (const headers of checks) expect(headers).not.toHaveProperty('x-service-signature')
  expect(checks.some(headers => 'x-acme-signature' in headers)).toBe(true)

  const refused = await acme.api.patch(`/v1/webhooks/${id}`, { headers: { 'X_Acme-Team': 'mail' } })
  expectStatus(422, refused)
  expect(JSON.stringify(refused.body)).toContain('x_acme-team cannot be set')
})

test('listen forwards with the operator’s prefix', async () => {
  const acme = await newCustomer(service.url, service.operator)
  await using receiver = await startReceiver(() => 204)
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-listen-'))
  const args = ['listen', receiver.url(), '--no-check', '--state', join(folder, 'state.json')]
  await using running = spawnPosthorn(args, {
    env: { ...env, POSTHORN_URL: service.url, POSTHORN_API_KEY: acme.apiKey },
  })
  const secret = await until('the secret is shown', () => /whsec_\w+/.exec(running.stdout())?.[0])
  await acme.report(1)
  const { body, headers } = await until('the event has arrived', () => receiver.received[0])
  const verifier = createVerifier({ secrets: secret, headerName: 'X-Acme-Signature' })
  expect(await verifier.verify(body, headers)).toMatchObject({ partName: 'v1' })
  expect(headers).not.toHaveProperty('x-service-signature')
  expect(await running.end('SIGINT')).toBe(0)
  rmSync(folder, { recursive: true })
})

test('verify reads a line with the operator’s header, and names it if there is none', async () => {
  const secret = `whsec_${'a1B2'.repeat(11).slice(1)}`
  const line = `X-Acme-Signature: ${await signHeader({ body: '{}', secrets: [secret], timestamp: 1_700_000_000 })}`
  const args = ['--body', '-', '--secret', secret, '--tolerance', '0']
  expect(await posthorn(['verify', '--header', line, ...args], { stdin: '{}', env })).toMatchObject({
    code: 0,
  })
  const missing = await posthorn(['verify', '--header', ' ', ...args], { stdin: '{}', env })
  expect(missing).toMatchObject({ code: 1, stderr: '' })
  expect(missing.stdout).toContain('expected x-acme-signature')
  expect(missing.stdout).toContain('every delivery has the header X-Acme-Signature.')
})

interface Detail {
  readonly attempts: readonly object[]
}
