import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, expectStatus, newCustomer } from '../../../server/test/support/api.ts'
import { freePort } from '../../../server/test/support/free-port.ts'
import {
  newInstallation,
  type ServiceProcess,
  startService,
} from '../../../server/test/support/service-process.ts'
import {
  type DatabasePlace,
  newDatabasePlace,
  newestServer,
} from '../../../server/test/support/test-database.ts'
import { until } from '../../../server/test/support/until.ts'
import { languagesHere } from './languages.ts'

const rows = languagesHere('live receivers').flatMap(({ name, folder, adapters }) =>
  adapters.map(adapter => ({ language: name, folder, adapter })),
)

describe.runIf(rows.length > 0)('the service delivers to a receiver', () => {
  let place: DatabasePlace
  let service: ServiceProcess
  beforeAll(async () => {
    place = await newDatabasePlace(newestServer())
    service = await startService(newInstallation(place))
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await place[Symbol.asyncDispose]()
  })

  describe.each(rows)('in $language with $adapter.name', ({ folder, adapter }) => {
    let receiver: Awaited<ReturnType<typeof startReceiver>>
    let customer: Customer
    let webhook: { id: string; secret: string }
    beforeAll(async () => {
      customer = await newCustomer(service.url, service.operator)
      receiver = await startReceiver(folder, adapter)
      webhook = await customer.newWebhook({ url: receiver.url })
      receiver.configure({ secrets: [webhook.secret] })
    })
    afterAll(async () => await receiver.stop())

    const report = async (): Promise<string> => (await customer.report(1))[0] ?? ''
    const delivery = async (eventId: string, state: string) =>
      await until(`${eventId} is ${state}`, async () =>
        (await customer.deliveries(webhook.id, `&state=${state}`)).find(one => one.event_id === eventId),
      )
    const refusal = async (settings: Partial<Settings>): Promise<string> => {
      receiver.configure({ secrets: [webhook.secret], ...settings })
      const event = await report()
      const { last_status_code: status } = await delivery(event, 'failed')
      expect(receiver.log()).not.toContain(`processed ${event}`)
      return `${status} ${receiver.log().at(-1)}`
    }

    test('a good delivery is processed', async () => {
      const event = await report()
      await delivery(event, 'delivered')
      expect(receiver.log()).toContain(`processed ${event}`)
    })

    test('a forged delivery is refused', async () => {
      expect(await refusal({ secrets: [`whsec_${'0'.repeat(44)}`] })).toBe('401 refused signature_mismatch')
    })

    test('a stale delivery is refused', async () => {
      expect(await refusal({ clockOffsetSeconds: 600 })).toBe('401 refused timestamp_too_old')
    })

    test('a duplicate is acknowledged and processed once', async () => {
      receiver.configure({ secrets: [webhook.secret] })
      const event = await report()
      const { id, attempt_count: before } = await delivery(event, 'delivered')
      expectStatus(202, await customer.api.post(`/v1/deliveries/${id}/retry`))
      await until('it arrived again', async () => (await delivery(event, 'delivered')).attempt_count > before)
      expect(receiver.log().filter(line => line === `processed ${event}`)).toHaveLength(1)
    })

    test('in the middle of a rotation, the receiver proves which secrets it has', async () => {
      const keys = `/v1/webhooks/${webhook.id}/signing-keys`
      const staged = expectStatus(
        201,
        await customer.api.post<{ key_id: string; secret: string }>(`${keys}/stage`),
      )
      const proofs = async () =>
        (await customer.signingKeys(webhook.id)).find(key => key.key_id === staged.key_id)?.verified_count
      await delivery(await report(), 'delivered')
      expect(await proofs()).toBe(0)

      receiver.configure({ secrets: [staged.secret, webhook.secret] })
      await delivery(await report(), 'delivered')
      await until('the staged key is proven', async () => (await proofs()) === 1)

      expectStatus(200, await customer.api.post(`${keys}/${staged.key_id}/promote`))
      receiver.configure({ secrets: [staged.secret] })
      await delivery(await report(), 'delivered')
    })
  })
})

/** What a receiver reads before each request. */
interface Settings {
  readonly secrets: readonly string[]
  readonly clockOffsetSeconds: number
  /** A file for SQLite. */
  readonly database: string
  /** The receiver adds `processed <id>` or `refused <code>` for each request. */
  readonly log: string
}

async function startReceiver(
  cwd: string,
  adapter: { readonly name: string; serve(port: number): readonly [string, ...string[]] },
) {
  const scratch = mkdtempSync(join(tmpdir(), 'posthorn-receiver-'))
  const file = join(scratch, 'settings.json')
  const log = join(scratch, 'log')
  const configure = (settings: Partial<Settings>): void => {
    const all = { clockOffsetSeconds: 0, database: join(scratch, 'dedupe.db'), log, ...settings }
    writeFileSync(file, JSON.stringify(all))
  }
  configure({ secrets: [`whsec_${'0'.repeat(44)}`] })
  const port = await freePort()
  const [program, ...args] = adapter.serve(port)
  const env = { ...process.env, RECEIVER_SETTINGS: file, ADAPTER: adapter.name }
  const child: ChildProcess = spawn(program, args, { cwd, env, stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}/hooks`
  await until('it listens', async () => (await fetch(url).catch(() => null))?.status === 405)
  return {
    url,
    configure,
    log: (): string[] => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
    stop: async () => {
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
      rmSync(scratch, { recursive: true })
    },
  }
}
