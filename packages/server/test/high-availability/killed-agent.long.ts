import { describe, expect } from 'vitest'
import { fault } from '../faults/fault.ts'
import { canRunCluster } from './programs.ts'
import { inSeconds, startStory } from './story.ts'

describe.runIf(canRunCluster())('Patroni', () => {
  fault(
    'F72',
    'HAProxy leads to the new primary although the old one still takes writes, and no event accepted with 202 is lost',
    async seen => {
      await using story = await startStory()
      const { cluster, throughHaproxy, listed } = story
      const old = await cluster.leader()

      const killedAt = performance.now()
      const fromMs = Date.now()
      await cluster.kill(old, { postgres: false })
      await cluster.waitForAnotherLeader(old)
      const promotedMs = performance.now() - killedAt
      const againMs = await throughHaproxy.acceptedAgain(killedAt)
      const stuckAt = listed.traffic.accepted.length
      await story.waitForMore(500)
      const [row] = await cluster.on(
        old,
        async db => await db.query<{ standby: boolean }>('select pg_is_in_recovery() as standby'),
      )
      expect(row?.standby, 'the old primary was stopped').toBe(false)
      // it confirms no commit, because no standby follows it
      expect(listed.traffic.accepted.length).toBe(stuckAt)

      const restartedAt = performance.now()
      cluster.startPatroni(old)
      const listedMs = await listed.acceptedAgain(restartedAt)
      await cluster.waitUntilWhole()
      seen(
        `promoted after ${inSeconds(promotedMs)}, reports accepted after ${inSeconds(againMs)} through HAProxy`,
      )
      seen(`with a list of hosts only ${inSeconds(listedMs)} after Patroni was started again`)
      seen(await story.finish([{ fromMs, toMs: Date.now() }]))
    },
    600_000,
  )
})
