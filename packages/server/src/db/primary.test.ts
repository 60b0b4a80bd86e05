import { expect, test } from 'vitest'
import { Primary } from './primary.ts'

const one = 'postgres://u:secret@one/app'
const two = 'postgres://u:secret@two/app'

function askedOf(primaries: Set<string>): { asked: string[]; ask: (url: string) => Promise<void> } {
  const asked: string[] = []
  const ask = async (url: string): Promise<void> => {
    asked.push(url)
    await Promise.resolve()
    if (!primaries.has(url)) throw new Error('it is a standby')
  }
  return { asked, ask }
}

test('the last good host is checked first, and kept while it is good', async () => {
  const primaries = new Set([two])
  const { asked, ask } = askedOf(primaries)
  const primary = new Primary([one, two], ask)
  await primary.find()
  expect(primary.url).toBe(two)
  primaries.add(one)
  await primary.find()
  expect(primary.url).toBe(two)
  expect(asked).toEqual([one, two, two])
})

test('parallel searches check each host only once', async () => {
  const { asked, ask } = askedOf(new Set([two]))
  const primary = new Primary([one, two], ask)
  await Promise.all(Array.from({ length: 50 }, async () => await primary.find()))
  expect(asked).toEqual([one, two])
})

test('a watcher is notified of a new primary until it is disposed', async () => {
  const primaries = new Set([two])
  const primary = new Primary([one, two], askedOf(primaries).ask)
  let moves = 0
  const watch = primary.onMove(() => moves++)
  await primary.find()
  await primary.find()
  expect(moves).toBe(1)
  watch[Symbol.dispose]()
  primaries.clear()
  primaries.add(one)
  await primary.find()
  expect(primary.url).toBe(one)
  expect(moves).toBe(1)
})

test('if no host accepts writes, the error lists hosts and reasons without passwords, until one does', async () => {
  const primaries = new Set<string>()
  const primary = new Primary([one, two], askedOf(primaries).ask)
  await expect(primary.find()).rejects.toMatchObject({
    name: 'DatabaseUnavailableError',
    message:
      'no host in DATABASE_URL takes writes (one:5432: it is a standby; two:5432: it is a standby): if another server is the primary, name it there; if none is, promote one',
  })
  primaries.add(one)
  await primary.find()
  expect(primary.url).toBe(one)
})
