import { expect, test } from 'vitest'
import { reconcile } from '../faults/reconcile.ts'
import { startTraffic } from '../faults/traffic.ts'
import { newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { killAt, killPointNamed } from './kill-points.ts'
import { startMovedPair } from './moved-pair.ts'

test('a shard moves under traffic: cancelled once, then moved, with an exact ledger and one writable server', async () => {
  await using moved = await startMovedPair()
  const { primary, standby } = moved.pair
  await using receiver = await startReceiver()
  await using service = await startService(newInstallation(moved.pair.place))
  const customer = await newCustomer(service.url, service.operator)
  await customer.newWebhook({ url: receiver.url() })
  const traffic = startTraffic({ url: () => service.url, apiKey: customer.apiKey, pauseMs: 20 })
  const waitForMore = async (): Promise<void> => {
    const before = traffic.accepted.length
    await until('more is accepted', () => traffic.accepted.length > before + 100)
  }
  await waitForMore()

  const dry = await moved.move('--dry-run', '--json')
  expect(JSON.parse(dry.stdout)).toMatchObject({ shard: 0, from: moved.nameOf(primary), moved: false })
  expect(await moved.isReadOnly(primary)).toBe(false)
  expect([...traffic.answers.keys()]).toEqual([202])

  await killAt(moved, killPointNamed('the promotion'))
  expect(await moved.writable()).toBe(0)
  primary.stop('fast')
  primary.start()
  expect(await moved.writable()).toBe(0)
  expect(await moved.move('--cancel')).toMatchObject({ code: 0 })
  await waitForMore()
  expect(await moved.isReadOnly(primary)).toBe(false)
  await until('the standby streams again', async () => (await moved.move('--dry-run')).code === 0)

  const late = moved.pair.on(primary, async db => {
    return await db.transaction(async tx => {
      await tx.query(`update installation set directory_version = -1`)
      const answer = await moved.move('--json')
      expect(answer).toMatchObject({ code: 0, stderr: '' })
      expect(JSON.parse(answer.stdout)).toMatchObject({ to: moved.nameOf(standby), moved: true })
      await tx.query(`update installation set directory_version = -2`)
    })
  })
  await expect(late, 'a transaction that was open').rejects.toThrow('the database is unavailable')
  await waitForMore()
  await traffic.stop()
  expect(await moved.isReadOnly(standby)).toBe(false)
  await reconcile(customer, receiver, { accepted: traffic.accepted })
  expect([...traffic.answers.keys()].filter(status => ![0, 202, 503].includes(status))).toEqual([])

  primary.stop('immediate')
  primary.start()
  expect(await moved.isReadOnly(primary)).toBe(true)
  expect((await moved.move()).stdout).toContain('already')
  expect((await moved.move('--cancel')).stderr).toContain('has the shard already')
  expect(await moved.writable()).toBe(1)
})

test('a promotion that did not end in time keeps the old server read-only, whatever the operator does', async () => {
  await using moved = await startMovedPair()
  const { primary, standby } = moved.pair
  await killAt(moved, killPointNamed('the promotion'))
  const [startup] = await moved.pair.on(standby, async db => {
    return await db.query<{ pid: number }>(`select pid from pg_stat_activity where backend_type = 'startup'`)
  })
  process.kill(startup?.pid ?? 0, 'SIGSTOP')
  await moved.pair.on(standby, async db => await db.query('select pg_promote(false)'))

  for (const again of [['--cancel'], []]) {
    const { code, stderr } = await moved.move(...again)
    expect(code).toBe(1)
    expect(stderr).toMatch(/the promotion of .* has begun and not ended/)
    expect(await moved.isReadOnly(primary)).toBe(true)
  }
  process.kill(startup?.pid ?? 0, 'SIGCONT')
  await until('it is a primary', async () => !(await moved.isReadOnly(standby)))
  expect((await moved.move()).stdout).toContain('already')
  expect(await moved.writable()).toBe(1)
})
