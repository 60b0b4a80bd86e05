import { describe, expect } from 'vitest'
import { fault } from '../faults/fault.ts'
import { canRunCluster } from './programs.ts'
import { inSeconds, startStory } from './story.ts'

describe.runIf(canRunCluster())('Patroni', () => {
  fault(
    'F71',
    'a primary that nothing can reach is replaced, no event accepted with 202 is lost, and it rejoins',
    async seen => {
      await using story = await startStory()
      const { cluster, throughHaproxy, listed } = story
      const old = await cluster.leader()

      const cutAt = performance.now()
      const fromMs = Date.now()
      cluster.machines.cutOff(old)
      await cluster.waitForAnotherLeader(old)
      const promotedMs = performance.now() - cutAt
      const again = await Promise.all(
        [throughHaproxy, listed].map(async one => await one.acceptedAgain(cutAt)),
      )
      const toMs = Date.now()
      await story.waitForMore(500)
      cluster.machines.reconnect(old)
      await cluster.waitUntilWhole()
      await story.waitForMore(500)
      seen(
        `unreachable: promoted after ${inSeconds(promotedMs)}, reports accepted after ${inSeconds(again[0])} through HAProxy, ${inSeconds(again[1])} with a list of hosts`,
      )
      seen(await story.finish([{ fromMs, toMs }]))
    },
    600_000,
  )

  fault(
    'F71',
    'a primary that only Posthorn can reach acknowledges nothing that is lost, and rejoins without it',
    async seen => {
      await using story = await startStory()
      const { cluster, throughHaproxy, listed } = story
      const old = await cluster.leader()

      const cutAt = performance.now()
      const fromMs = Date.now()
      cluster.machines.cutOffFromOthers(old)
      const leader = await cluster.waitForAnotherLeader(old)
      const promotedMs = performance.now() - cutAt
      const again = await Promise.all(
        [throughHaproxy, listed].map(async one => await one.acceptedAgain(cutAt)),
      )
      const toMs = Date.now()
      // the control: it did commit reports, which wait for a standby
      const kept = await cluster.eventsOn(leader)
      const discarded = [...(await cluster.eventsOn(old))].filter(id => !kept.has(id)).length
      expect(discarded).toBeGreaterThan(0)
      await story.waitForMore(500)
      cluster.machines.reconnect(old)
      await cluster.waitUntilWhole()
      await story.waitForMore(500)
      seen(
        `only Posthorn reaches it: promoted after ${inSeconds(promotedMs)}, reports accepted after ${inSeconds(again[0])} and ${inSeconds(again[1])}; ${discarded} events that the old primary had committed without an answer were discarded`,
      )
      seen(await story.finish([{ fromMs, toMs }]))
    },
    600_000,
  )
})
