import { expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { ProfileCache } from '../../src/dispatch/profile-cache.ts'
import { loadProfiles } from '../../src/dispatch/sending-profile.ts'
import type { LeasedDelivery } from '../../src/domain/leased-delivery.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'
import { newAccount, uuidOf, verbContext } from '../verbs/verb-context.ts'
import { someDelivery } from './some-delivery.ts'

/** Creates a cache on a real database, claimed deliveries of three endpoints with version 1, and a count of its statements. */
async function open(db: Database) {
  const ctx = verbContext(db)
  const accountId = await newAccount(ctx)
  const claimed: LeasedDelivery[] = []
  for (const path of ['a', 'b', 'c']) {
    const { id } = await createWebhook(ctx, accountId, { url: `https://hooks.example.com/${path}` })
    claimed.push(someDelivery(accountId, uuidOf('wh', id)))
  }
  let statements = 0
  const query: Database['query'] = async (statement, values) => {
    statements++
    return await db.query(statement, values)
  }
  const options = { seal: ctx.seal, userAgent: 'Posthorn', timings: ctx.settings.timings }
  const cache = new ProfileCache(async endpoints => await loadProfiles({ ...db, query }, options, endpoints))
  return { cache, claimed, statements: () => statements }
}

const urlOf = (profile: Awaited<ReturnType<ProfileCache['load']>>): string | undefined =>
  profile !== undefined && 'url' in profile ? profile.url : undefined

test('deliveries claimed together load their endpoint profiles in one statement', async () => {
  await using db = await openTestDatabase(newestServer())
  const { cache, claimed, statements } = await open(db)
  cache.prepare(claimed)
  const [first, second, third] = claimed
  if (first === undefined || second === undefined || third === undefined) throw new Error('three are claimed')
  expect(urlOf(await cache.load(first))).toBe('https://hooks.example.com/a')
  expect(urlOf(cache.get(second))).toBe('https://hooks.example.com/b')
  expect(urlOf(cache.get(third))).toBe('https://hooks.example.com/c')
  cache.prepare(claimed)
  await cache.load(first)
  expect(statements()).toBe(2)
})

test('a changed endpoint has no profile for deliveries claimed before, but one for new claims', async () => {
  await using db = await openTestDatabase(newestServer())
  const { cache, claimed } = await open(db)
  const [first] = claimed
  if (first === undefined) throw new Error('one is claimed')
  cache.prepare([first])
  const now: LeasedDelivery = { ...first, endpointVersion: 2 }
  await db.query('update endpoint set version = 2 where id = $1', [first.endpointId])
  expect(urlOf(await cache.load(now))).toBe('https://hooks.example.com/a')
  expect(cache.get(first)).toBeUndefined()
  expect(await cache.load(first)).toBeUndefined()
})
