import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Service } from '../../src/service.ts'
import { connectApi } from '../support/api.ts'
import { openShards } from '../support/shards.ts'

test('the keys of fronts and shards rotate without an interruption', async () => {
  await using installation = await openShards(2)
  const customers = [await installation.customerOn(0), await installation.customerOn(1)]
  const old = installation.keys
  const next = `second:${randomBytes(32).toString('base64')}`

  const fronts: Service[] = [await installation.openFront()]
  /** A customer of each shard uses each front. */
  const everyoneIsServed = async (): Promise<void> => {
    for (const front of fronts) {
      for (const { apiKey } of customers) {
        const answer = await fetch(`${front.url}/v1/webhooks`, {
          headers: { authorization: `Bearer ${apiKey}` },
        })
        expect(answer.status).toBe(200)
      }
    }
  }
  await everyoneIsServed()

  // accept the new key everywhere, then sign with it, then forget the old one
  for (const keys of [`${old},${next}`, `${next},${old}`, next]) {
    for (const shard of installation.shards) {
      await shard.stop()
      await shard.start({ POSTHORN_SHARD_KEYS: keys })
      await everyoneIsServed()
    }
    fronts.unshift(await installation.openFront({ POSTHORN_SHARD_KEYS: keys }))
    await everyoneIsServed()
    await fronts.pop()?.drain()
  }
  await fronts.pop()?.drain()

  // a front that kept the old key is refused
  await expect(installation.openFront()).rejects.toThrow(/does not accept the signature/)
  expect((await connectApi(installation.url, installation.adminToken).get('/healthz')).status).toBe(200)
})
