import { expect, test } from 'vitest'
import type { Accepted, NewEvent } from './accept.ts'
import { GroupCommit } from './group-commit.ts'

const event = (accountId: string, bytes = 10): NewEvent => ({
  accountId,
  id: '',
  firstDeliveryId: '',
  type: 'email.delivered',
  body: Buffer.alloc(bytes),
  searchKeys: [],
  outcomeDigest: null,
})
const stored = (events: readonly NewEvent[]): Accepted => ({
  duplicateOf: events.map(() => null),
  taken: [],
  left: [],
})

/** A store that waits for the test to let each group through. */
function gate(): {
  store: (events: readonly NewEvent[]) => Promise<Accepted>
  groups: string[][]
  open: () => void
} {
  const groups: string[][] = []
  const waiting: Array<() => void> = []
  return {
    groups,
    open: () => waiting.shift()?.(),
    store: async events => {
      groups.push(events.map(one => one.accountId))
      await new Promise<void>(resolve => waiting.push(resolve))
      return stored(events)
    },
  }
}

const options = { afterCommit: () => {}, isAway: () => false }
const turn = async (): Promise<void> => await new Promise(resolve => setImmediate(resolve))

test('what arrives during a commit shares the next one, and nobody is answered before', async () => {
  const { store, groups, open } = gate()
  const commits = new GroupCommit({ ...options, store })
  const answered: string[] = []
  const submit = (account: string): void => {
    void commits.submit([event(account)]).then(() => answered.push(account))
  }
  submit('a')
  await turn()
  for (const account of ['b', 'c', 'd']) submit(account)
  await turn()
  expect([groups, answered]).toEqual([[['a']], []])
  open()
  await turn()
  await turn()
  expect([groups, answered]).toEqual([[['a'], ['b', 'c', 'd']], ['a']])
  open()
  await commits.drain()
  expect(answered).toEqual(['a', 'b', 'c', 'd'])
})

test('the next group is on its way before what the last one brought is sent and its requests are answered', async () => {
  const { store, open } = gate()
  const seen: string[] = []
  const commits = new GroupCommit({
    ...options,
    store: async events => {
      seen.push(`store ${events[0]?.accountId}`)
      return await store(events)
    },
    afterCommit: () => {
      seen.push('count')
      queueMicrotask(() => seen.push('send'))
    },
  })
  const submit = async (account: string): Promise<void> => {
    await commits.submit([event(account)])
    seen.push(`answer ${account}`)
  }
  const all = [submit('a')]
  await turn()
  all.push(submit('b'))
  await turn()
  open()
  await turn()
  expect(seen).toEqual(['store a', 'count', 'store b', 'send', 'answer a'])
  open()
  await Promise.all(all)
})

test('a request that comes when the last group is stored, and what stored it is not over yet, is stored as well', async () => {
  const over = Promise.withResolvers<void>()
  const commits = new GroupCommit({
    ...options,
    store: async events => await Promise.resolve(stored(events)),
    during: async run => {
      await run()
      await over.promise
    },
  })
  await commits.submit([event('a')])
  await commits.submit([event('b')])
  over.resolve()
  await commits.drain()
})

test('accounts take turns when not everything fits into one group', async () => {
  const { store, groups, open } = gate()
  const commits = new GroupCommit({ ...options, store })
  const large = Array.from({ length: 300 }, () => event('large'))
  const all = [commits.submit([event('first')])]
  await turn()
  all.push(commits.submit(large), commits.submit(large), commits.submit([event('small')]))
  for (let n = 0; n < 3; n++) {
    open()
    await turn()
    await turn()
  }
  open()
  await Promise.all(all)
  expect(groups.map(group => [...new Set(group)])).toEqual([['first'], ['large', 'small'], ['large']])
})

test('who is held back keeps nobody waiting, and is stored when let go, beside the group under way', async () => {
  const { store, groups, open } = gate()
  const held = new Set(['held'])
  const commits = new GroupCommit({ ...options, store, heldBack: () => held })
  const all = ['a', 'held', 'b'].map(async account => await commits.submit([event(account)]))
  await turn()
  const waits = commits.submit([event('held')])
  expect(groups).toEqual([['a', 'b']])
  held.clear()
  const gone = commits.letGo(new Set(['held']))
  expect(groups).toEqual([
    ['a', 'b'],
    ['held', 'held'],
  ])
  open()
  open()
  await Promise.all([...all, waits, gone])
})

test('when a group fails, only the guilty request gets the error', async () => {
  const commits = new GroupCommit({
    ...options,
    store: async events => {
      if (events.some(one => one.accountId === 'guilty')) throw new Error('refused')
      return await Promise.resolve(stored(events))
    },
  })
  const results = await Promise.allSettled(
    ['a', 'guilty', 'b'].map(async one => await commits.submit([event(one)])),
  )
  expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('while the database is away, a group is not tried one by one', async () => {
  let tries = 0
  const commits = new GroupCommit({
    ...options,
    isAway: () => true,
    store: async () => {
      tries++
      return await Promise.reject(new Error('away'))
    },
  })
  const results = await Promise.allSettled(['a', 'b'].map(async one => await commits.submit([event(one)])))
  expect(results.map(result => result.status)).toEqual(['rejected', 'rejected'])
  expect(tries).toBe(1)
})

test('beyond its bound a request is refused at once', async () => {
  const { store, open } = gate()
  const commits = new GroupCommit({ ...options, store })
  const megabytes = Array.from({ length: 64 }, async () => await commits.submit([event('a', 1024 * 1024)]))
  await expect(commits.submit([event('a')])).rejects.toMatchObject({ code: 'overloaded' })
  const drained = Promise.all(megabytes)
  const opening = setInterval(open, 1)
  await drained
  clearInterval(opening)
})
