import { describe, expect } from 'vitest'
import { fault } from '../faults/fault.ts'
import { canRunCluster } from './programs.ts'
import { inSeconds, startStory } from './story.ts'

describe.runIf(canRunCluster())('Patroni', () => {
  fault(
    'F69',
    'Patroni promotes the synchronous standby, no event accepted with 202 is lost, and the old primary rejoins',
    async seen => {
      await using story = await startStory()
      const { cluster, throughHaproxy, listed } = story
      const old = await cluster.leader()

      const killedAt = performance.now()
      const fromMs = Date.now()
      await cluster.kill(old)
      const leader = await cluster.waitForAnotherLeader(old)
      const promotedMs = Math.round(performance.now() - killedAt)
      const again = await Promise.all(
        [throughHaproxy, listed].map(async one => await one.acceptedAgain(killedAt)),
      )
      const toMs = Date.now()
      await story.waitForMore(500)

      const startedAt = performance.now()
      cluster.startPatroni(old)
      await cluster.waitUntilWhole()
      const rejoinedMs = performance.now() - startedAt
      expect(await cluster.leader()).toBe(leader)
      await story.waitForMore(500)
      seen(`promoted after ${inSeconds(promotedMs)}`)
      seen(
        `reports accepted after ${inSeconds(again[0])} through HAProxy, ${inSeconds(again[1])} with a list of hosts`,
      )
      seen(`the old primary followed ${inSeconds(rejoinedMs)} after its start`)
      seen(await story.finish([{ fromMs, toMs }]))
    },
    600_000,
  )
})
