import { expect, test } from 'vitest'
import type { DirectoryPage } from '../shards/internal-api.ts'
import { Directory } from './directory.ts'

const installation_id = '01890a5d-ac96-774b-bcce-b30200000000'
const uuid = (code: number): string => `01890a5d-ac96-774b-bcce-b302${code.toString(16).padStart(8, '0')}`

/** Shard 0 as a directory sees it: its rows, and the version of the newest. */
function openDirectory(pageMax = 100) {
  const rows: DirectoryPage['placements'] = []
  const shard0 = {
    rows,
    version: 1,
    epoch: 'first',
    isDown: false,
    id: installation_id,
    reads: [] as number[],
    readsMax: 99,
  }
  let nowMs = 0
  const directory = new Directory({
    read: async after => {
      shard0.reads.push(after)
      if (shard0.isDown || shard0.reads.length > shard0.readsMax) throw new Error('down')
      const found = rows.filter(({ version }) => version > after).sort((a, b) => a.version - b.version)
      const placements = found.slice(0, pageMax)
      const more = found.length > placements.length
      const version = more ? (placements.at(-1)?.version ?? 0) : shard0.version
      const shards = [{ number: 0, state: 'open' as const }]
      const { id, epoch } = shard0
      return await Promise.resolve({ installation_id: id, epoch, version, shards, placements, more })
    },
    monotonicMs: () => nowMs,
    wait: async ms => {
      nowMs += ms
      await Promise.resolve()
    },
    log: { info: () => {}, error: () => {} },
  })
  const place = (code: number, shard: number, moving = false): void => {
    shard0.version += 1
    const row = { account_id: uuid(code), shard, version: shard0.version, moving }
    const at = rows.findIndex(({ account_id }) => account_id === row.account_id)
    rows.splice(at < 0 ? rows.length : at, at < 0 ? 0 : 1, row)
  }
  return { directory, shard0, place, now: () => nowMs }
}

test('it reads all pages at first, and later only what changed', async () => {
  const { directory, shard0, place } = openDirectory(2)
  for (let code = 1; code <= 5; code++) place(code, code % 2)
  expect(directory.isKnown).toBe(false)
  expect(await directory.refresh()).toBe(true)
  expect([directory.isKnown, directory.count(0), directory.count(1)]).toEqual([true, 2, 3])
  expect(shard0.reads).toEqual([0, 3, 5])

  place(5, 0, true)
  await directory.refresh()
  expect(shard0.reads.at(-1)).toBe(6)
  expect(directory.find(5)).toMatchObject({ shard: 0, moving: true })
  expect([directory.count(0), directory.count(1)]).toEqual([3, 2])
})

test('many calls share one read that begins after them, at most every 100 ms', async () => {
  const { directory, shard0, place, now } = openDirectory()
  const early = directory.refresh()
  place(1, 1)
  const calls = Array.from({ length: 50 }, async () => await directory.refresh())
  await early
  await Promise.all(calls)
  expect(directory.find(1)).toMatchObject({ shard: 1 })
  expect(shard0.reads.length).toBeLessThanOrEqual(2)
  const beganMs = now()
  await directory.refresh()
  await directory.refresh()
  expect(now() - beganMs).toBeGreaterThanOrEqual(100)
})

test('while shard 0 is down, the last copy stays in use', async () => {
  const { directory, shard0, place } = openDirectory()
  place(1, 1)
  await directory.refresh()
  shard0.isDown = true
  place(2, 0)
  expect([await directory.refresh(), directory.isCurrent]).toEqual([false, false])
  expect([directory.find(1)?.shard, directory.find(2)]).toEqual([1, undefined])
  shard0.isDown = false
  expect([await directory.refresh(), directory.find(2)?.shard]).toEqual([true, 0])
})

test('after shard 0 was restored from an older backup, it is read again from the beginning', async () => {
  const { directory, shard0, place } = openDirectory()
  place(1, 1)
  place(2, 1)
  await directory.refresh()
  shard0.rows.length = 0
  shard0.version = 1
  place(1, 0)
  expect(await directory.refresh()).toBe(true)
  expect([directory.find(1)?.shard, directory.find(2), directory.count(1)]).toEqual([0, undefined, 0])
})

test('a restored shard 0 is read again although it has reached the same version, and replaces the copy at once', async () => {
  const { directory, shard0, place } = openDirectory(2)
  for (let code = 1; code <= 4; code++) place(code, 0)
  await directory.refresh()
  shard0.rows.splice(1)
  shard0.version = 2
  shard0.epoch = 'restored'
  for (let code = 5; code <= 8; code++) place(code, 1)
  // the second page from the beginning is lost
  shard0.readsMax = shard0.reads.length + 2
  expect(await directory.refresh()).toBe(false)
  expect([directory.find(4)?.shard, directory.find(5), directory.count(0)]).toEqual([0, undefined, 4])
  shard0.readsMax = 99
  expect(await directory.refresh()).toBe(true)
  expect([1, 2, 3, 4, 5, 8].map(code => directory.find(code)?.shard)).toEqual([
    0,
    undefined,
    undefined,
    undefined,
    1,
    1,
  ])
  expect([directory.count(0), directory.count(1)]).toEqual([1, 4])
})

test('the directory of another installation is refused', async () => {
  const { directory, shard0, place } = openDirectory()
  place(1, 1)
  await directory.refresh()
  shard0.id = uuid(7)
  place(1, 0)
  expect([await directory.refresh(), directory.find(1)?.shard]).toEqual([false, 1])
})
