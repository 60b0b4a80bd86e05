import { describe, expect } from 'vitest'
import { fault } from '../faults/fault.ts'
import { canRunCluster } from './programs.ts'
import { inSeconds, startStory, type Trouble } from './story.ts'

describe.runIf(canRunCluster())('Patroni', () => {
  fault(
    'F70',
    'a switchover and one back under traffic lose no event, and reports are accepted again without a restart',
    async seen => {
      await using story = await startStory()
      const { cluster, throughHaproxy, listed } = story
      const troubles: Trouble[] = []
      for (const direction of ['there', 'back']) {
        const old = await cluster.leader()
        const askedAt = performance.now()
        const fromMs = Date.now()
        await cluster.switchOver()
        const leader = await cluster.waitForAnotherLeader(old)
        const promotedMs = performance.now() - askedAt
        const again = await Promise.all(
          [throughHaproxy, listed].map(async one => await one.acceptedAgain(askedAt)),
        )
        troubles.push({ fromMs, toMs: Date.now() })
        await cluster.waitUntilWhole()
        expect(await cluster.leader()).toBe(leader)
        await story.waitForMore(500)
        seen(
          `${direction}: promoted after ${inSeconds(promotedMs)}, reports accepted after ${inSeconds(again[0])} through HAProxy, ${inSeconds(again[1])} with a list of hosts`,
        )
      }
      seen(await story.finish(troubles))
    },
    600_000,
  )
})
