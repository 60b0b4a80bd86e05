import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account, Erasure, Suppression } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allEvents, type Customer, newCustomer } from '../support/api.ts'
import {
  type Installation,
  newInstallation,
  type ServiceProcess,
  startService,
} from '../support/service-process.ts'
import { type DatabasePlace, embedded, newDatabasePlace } from '../support/test-database.ts'
import { type Ended, posthorn } from './posthorn-process.ts'

let place: DatabasePlace
let installation: Installation
let service: ServiceProcess
let folder: string

beforeAll(async () => {
  place = await newDatabasePlace(embedded)
  installation = newInstallation(place)
  service = await startService(installation)
  folder = mkdtempSync(join(tmpdir(), 'posthorn-suppressions-'))
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await place[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

describe('suppressions', () => {
  test('add stops mail to an address, list shows it, and lift by address ends all its suppressions', async () => {
    const customer = await newCustomer(service.url, service.operator)
    const added = await run(customer, 'suppressions', 'add', 'ann@example.org')
    expect(added).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Stopped mail to ann@example\.org/),
    })
    await run(customer, 'suppressions', 'add', 'ann@example.org', '--list', 'news')
    await run(customer, 'suppressions', 'add', 'bob@example.org', '--all-lists')

    const listed = (await run(customer, 'suppressions', 'list', '--limit', '2')).stdout
    expect(listed).toMatch(
      /^ID +ADDRESS +REASON +SCOPE +STATE +SINCE\nsup_\w+ +bob@example\.org +manual +all_lists/,
    )
    expect(listed).toMatch(/sup_\w+ +ann@example\.org +manual +list news +active/)
    expect(listed).toContain('There are more')

    const lifted = await run(customer, 'suppressions', 'lift', 'ANN@example.org', '--json')
    expect(JSON.parse(lifted.stdout)).toMatchObject({ lifted: [expect.any(String), expect.any(String)] })
    const left = await run(customer, 'suppressions', 'list', '--json')
    const [bob, ...others] = JSON.parse(left.stdout) as Suppression[]
    expect([bob?.address, others]).toEqual(['bob@example.org', []])
    expect(await run(customer, 'suppressions', 'lift', String(bob?.id))).toMatchObject({ code: 0 })
    expect((await run(customer, 'suppressions', 'list')).stdout).toBe('No suppressions.\n')
    expect(await run(customer, 'suppressions', 'lift', 'ann@example.org')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('ann@example.org has no active suppression'),
    })
    expect(await run(customer, 'suppressions', 'add', 'x@y.z', '--list', 'a', '--all-lists')).toMatchObject({
      code: 2,
    })
  })

  test('import names the rejected lines, and export writes a file that import accepts', async () => {
    const customer = await newCustomer(service.url, service.operator)
    const source = join(folder, 'in.csv')
    const readers = Array.from({ length: 6_000 }, (_, n) => `reader${n}@example.org,"line\nbreak"`)
    readers[5_500] = 'nobody,x'
    writeFileSync(source, `Address,note\n"quote"d,x\n${readers.join('\n')}\n`)

    const imported = await run(customer, 'suppressions', 'import', source)

    expect(imported).toMatchObject({
      code: 1,
      stdout: 'Imported 6001 lines: 5999 added, 0 already suppressed, 2 rejected.\n',
    })
    expect(imported.stderr.trim().split('\n')).toEqual([
      'line 2: has a quote in the wrong place',
      // each of the 5,500 records before it has two lines
      'line 11003: address must be an email address',
    ])
    const target = join(folder, 'out.csv')
    expect(await run(customer, 'suppressions', 'export', target)).toMatchObject({ code: 0, stderr: '' })
    expect(await run(customer, 'suppressions', 'export', target)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already exists: use another file name'),
    })
    const printed = (await run(customer, 'suppressions', 'export', '-')).stdout
    expect(printed).toBe(readFileSync(target, 'utf8'))
    expect(printed.split('\r\n')).toHaveLength(5_999 + 2)
    const again = await run(customer, 'suppressions', 'import', target, '--json')
    expect(again.code).toBe(0)
    expect(JSON.parse(again.stdout)).toMatchObject({ lines: 5_999, added: 0, unchanged: 5_999, rejected: 0 })
  })

  test('input without a header line is rejected', async () => {
    const customer = await newCustomer(service.url, service.operator)
    for (const stdin of ['ann@example.org\n', 'ann@example.org\nbob@example.org\n']) {
      const refused = await posthorn(['suppressions', 'import'], { env: envOf(customer), stdin })
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('one of them address') })
    }
    const empty = await posthorn(['suppressions', 'import', '-'], { env: envOf(customer), stdin: '' })
    expect(empty).toMatchObject({ code: 1, stderr: expect.stringContaining('the file is empty') })
  })
})

test('erasures create waits for the receipt, as a customer and as the operator', async () => {
  const customer = await newCustomer(service.url, service.operator)
  await customer.report(1, { data: { email_id: 'a', to: ['ann@example.org'] } })
  await customer.report(1, { data: { email_id: 'b', to: ['bob@example.org'] } })

  const text = (await run(customer, 'erasures', 'create', 'ann@example.org')).stdout
  expect(text).toMatch(/^Erased 1 events, 0 deliveries and 0 attempts by \S+\. Receipt: era_\w+\n$/)
  const asOperator = await posthorn(
    ['erasures', 'create', 'bob@example.org', '--account', customer.accountId, '--json'],
    { env: { POSTHORN_URL: service.url, POSTHORN_ADMIN_TOKEN: installation.adminToken } },
  )
  expect(JSON.parse(asOperator.stdout) as Erasure).toMatchObject({ state: 'done', events: 1 })
  expect((await allEvents(customer.api)).map(({ erased_at }) => erased_at)).toEqual([
    expect.any(String),
    expect.any(String),
  ])
})

test('accounts delete requires the account name or --yes', async () => {
  const env = { POSTHORN_URL: service.url, POSTHORN_ADMIN_TOKEN: installation.adminToken }
  const make = async (name: string): Promise<Account> =>
    (await service.operator.post<Account>('/v1/accounts', { name })).body
  const acme = await make('Acme Ltd')
  for (const stdin of ['Acme\n', '']) {
    const refused = await posthorn(['accounts', 'delete', acme.id], { env, stdin })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing was deleted') })
  }
  expect(await posthorn(['accounts', 'delete', acme.id, '--json'], { env })).toMatchObject({ code: 1 })
  expect((await service.operator.get(`/v1/accounts/${acme.id}`)).status).toBe(200)

  expect(await posthorn(['accounts', 'delete', acme.id], { env, stdin: 'Acme Ltd\n' })).toMatchObject({
    code: 0,
    stdout: `Deleted the account Acme Ltd: ${acme.id}\n`,
  })
  expect((await service.operator.get(`/v1/accounts/${acme.id}`)).status).toBe(404)
  const other = await make('Other')
  expect(await posthorn(['accounts', 'delete', other.id, '--yes'], { env })).toMatchObject({
    code: 0,
    stderr: '',
  })
})

async function run(customer: Customer, ...args: string[]): Promise<Ended> {
  return await posthorn(args, { env: envOf(customer) })
}

function envOf(customer: Customer): Record<string, string> {
  return { POSTHORN_URL: service.url, POSTHORN_API_KEY: customer.apiKey }
}
