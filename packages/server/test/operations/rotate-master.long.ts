import { randomBytes } from 'node:crypto'
import type { ProviderSourceCreated } from '@posthorn/contract'
import { createVerifier } from '@posthorn/receiver'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/db/open-database.ts'
import { sealedColumns } from '../../src/master-keys/sealed-columns.ts'
import { posthorn } from '../cli/posthorn-process.ts'
import { makeCertificate } from '../egress/certificate.ts'
import * as mailgun from '../providers/mailgun-webhook.ts'
import { type Api, type Customer, customerAt, expectStatus, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Installation, newInstallation, startService } from '../support/service-process.ts'
import {
  type DatabasePlace,
  embedded,
  newDatabasePlace,
  newestServer,
  openTestDatabase,
} from '../support/test-database.ts'

test('the rotation covers every sealed column of the schema', async () => {
  await using db = await openTestDatabase(newestServer())
  const found = await db.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = current_schema() and column_name like '%\\_sealed'`,
  )
  const known = sealedColumns.map(({ table, column }) => `${table}.${column}`)
  expect(found.map(({ name }) => name).sort()).toEqual(known.sort())
})

test('a rotation moves every secret to the new master key; only then can the old key be removed', async () => {
  await using place = await newDatabasePlace(embedded)
  await using receiver = await startReceiver()
  const old = newInstallation(place)
  const [both, newOnly] = afterRotation(old)
  const before = await startService(old)
  const customer = await newCustomer(before.url, before.operator)
  const { secret, reportPath } = await everySealedThing(before, customer, receiver.url())
  expect(await before.stop()).toBe(0)

  await expect(startAndStop(newOnly)).rejects.toThrow(
    /the master keys do not include "test" \(6 encrypted values\): add it again/,
  )
  const tooEarly = await rotateMaster(newOnly)
  expect(tooEarly).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the master keys do not include "test"'),
  })

  const rotated = await rotateMaster(both)
  expect(rotated).toMatchObject({ code: 0, stderr: expect.stringContaining('100 %  6 of 6 secrets') })
  expect(rotated.stdout).toContain(
    'Encrypted 6 secrets again. All secrets now use "next".\nYou can remove "test"',
  )
  const again = await rotateMaster(both, '--json')
  expect(JSON.parse(again.stdout)).toMatchObject({ resealed: 0, sealed: 6, left: 0, removable: ['test'] })

  await expect(startAndStop(old)).rejects.toThrow(
    /the master keys do not include "next" \(6 encrypted values\): add it again/,
  )
  const renamed = { ...old, masterKeys: old.masterKeys.replace('test:', 'next:') }
  await expect(startAndStop(renamed)).rejects.toThrow(/the master key "next" decrypts none of its secrets/)

  await using after = await startService(newOnly)
  const later = customerAt(after.url, customer.accountId, customer.apiKey)
  await later.report(1)
  await receiver.waitForEvents(1)
  const [arrived] = receiver.received
  expect(arrived?.headers['x-tenant']).toBe('acme')
  const verifier = createVerifier({ secrets: secret })
  expect(await verifier.safeVerify(arrived?.body ?? '', arrived?.signature ?? '')).toMatchObject({ ok: true })
  const { body } = await later.api.get('/v1/suppressions?address=ann@example.org')
  expect(body).toMatchObject({ data: [{ address: 'ann@example.org' }] })
  const fromProvider = async (key: string): Promise<unknown[]> =>
    await reportDelivery(after.url + reportPath, key)
  expect(await fromProvider('0'.repeat(32))).toEqual([401, undefined])
  expect(await fromProvider(mailgun.key)).toEqual([200, 1])
})

test('a secret that no key opens is named and kept, the rest is re-encrypted, and the old key stays', async () => {
  await using place = await newDatabasePlace(newestServer())
  const old = newInstallation(place)
  const [both] = afterRotation(old)
  const service = await startService(old)
  const customer = await newCustomer(service.url, service.operator)
  const damaged = await customer.newWebhook({ url: 'http://127.0.0.1:9/damaged' })
  await customer.newWebhook({ url: 'http://127.0.0.1:9/whole' })
  expect(await service.stop()).toBe(0)
  await flipLastBit(place, damaged.secret.slice(0, 10))

  const rotated = await rotateMaster(both)
  expect(rotated.code).toBe(1)
  expect(rotated.stdout).toContain(
    'Encrypted 1 secrets with "next". Keep the other keys: 1 secrets could not be encrypted again.',
  )
  expect(rotated.stdout).toContain(
    `signing secret of ${damaged.id} ${customer.accountId}: the encrypted record was`,
  )
})

/** Starts the service and stops it if it starts unexpectedly. */
async function startAndStop(installation: Installation): Promise<void> {
  await using _service = await startService(installation)
}

/** The settings with a new key before the old one, and with the new key only. */
function afterRotation(old: Installation): [both: Installation, newOnly: Installation] {
  const fresh = `next:${randomBytes(32).toString('base64')}`
  return [
    { ...old, masterKeys: `${fresh},${old.masterKeys}` },
    { ...old, masterKeys: fresh },
  ]
}

/** Creates a signing key, request headers, the key of a client certificate, a mail key, a DKIM key and the key of a mail provider. */
async function everySealedThing(
  { operator }: { operator: Api },
  customer: Customer,
  url: string,
): Promise<{ secret: string; reportPath: string }> {
  const { accountId, api } = customer
  expectStatus(201, await api.post('/v1/suppressions', { address: 'ann@example.org' }))
  expectStatus(201, await api.post('/v1/domains', { name: 'mail.acme.example' }))
  const { report_url: reportUrl } = expectStatus(
    201,
    await operator.post<ProviderSourceCreated>(`/v1/accounts/${accountId}/sources`, {
      kind: 'mailgun',
      key: mailgun.key,
    }),
  )
  const { pathname, search } = new URL(reportUrl ?? '')
  const client = makeCertificate({ name: 'client' })
  const { secret } = await customer.newWebhook({
    url,
    headers: { 'X-Tenant': 'acme' },
    client_certificate: { certificate: client.cert, private_key: client.key },
  })
  return { secret, reportPath: pathname + search }
}

/** Reports a delivery as Mailgun does, and returns the status and how many events were accepted. */
async function reportDelivery(
  url: string,
  key: string,
): Promise<[status: number, accepted: number | undefined]> {
  const { headers = {}, payload } = mailgun.webhook(
    mailgun.about('delivered', mailgun.replied(250, 'OK')),
    mailgun.signature(mailgun.nowSeconds(), key),
  )
  const answer = await fetch(url, { method: 'POST', headers, body: String(payload) })
  const { accepted } = (await answer.json()) as { accepted?: number }
  return [answer.status, accepted]
}

async function rotateMaster({ place, masterKeys }: Installation, ...options: string[]) {
  return await posthorn(['keys', 'rotate-master', ...options], {
    env: {
      POSTHORN_DATA_DIR: place.dataDir,
      POSTHORN_MASTER_KEYS: masterKeys,
      ...(place.databaseUrl !== null && { DATABASE_URL: place.databaseUrl }),
    },
  })
}

async function flipLastBit(place: DatabasePlace, secretPrefix: string): Promise<void> {
  await using db = await openDatabase({
    url: place.databaseUrl,
    dataDir: place.dataDir,
    connectionsMax: 1,
    onLost: () => {},
  })
  await db.query(
    `update signing_key set secret_sealed = set_bit(secret_sealed, 8 * length(secret_sealed) - 1,
       1 - get_bit(secret_sealed, 8 * length(secret_sealed) - 1)) where secret_prefix = $1`,
    [secretPrefix],
  )
}
