import { describe, expect, test } from 'vitest'
import { type DedupeStore, processOnce } from '../src/dedupe.ts'

/** The tests that every store must pass. `open` returns a new connection to the same store. */
export function describeStore(name: string, open: () => DedupeStore): void {
  let made = 0
  const newId = () => `evt_${name}_${++made}`

  describe(name, () => {
    test('an id can be claimed once, and stays done once it is completed', async () => {
      const [store, id] = [open(), newId()]
      expect(await store.claim(id, 60_000)).toBe('claimed')
      expect(await store.claim(id, 60_000)).toBe('in_progress')
      await store.complete(id, 60_000)
      expect(await store.claim(id, 60_000)).toBe('done')
    })

    test('a released id can be claimed again, but a done id cannot be released', async () => {
      const [store, id] = [open(), newId()]
      await store.claim(id, 60_000)
      await store.release(id)
      expect(await store.claim(id, 60_000)).toBe('claimed')
      await store.complete(id, 60_000)
      await store.release(id)
      expect(await store.claim(id, 60_000)).toBe('done')
    })

    test('an abandoned claim expires', async () => {
      const [store, id] = [open(), newId()]
      await store.claim(id, 80)
      expect(await store.claim(id, 80)).toBe('in_progress')
      await expect.poll(() => store.claim(id, 60_000), { interval: 10 }).toBe('claimed')
    })

    test('a done id is forgotten after its TTL', async () => {
      const [store, id] = [open(), newId()]
      await store.claim(id, 60_000)
      await store.complete(id, 80)
      expect(await store.claim(id, 60_000)).toBe('done')
      await expect.poll(() => store.claim(id, 60_000), { interval: 10 }).toBe('claimed')
    })

    test('an id can be completed after its lease expired', async () => {
      const [store, id] = [open(), newId()]
      await store.claim(id, 1)
      await expect.poll(() => store.claim(id, 1), { interval: 10 }).toBe('claimed')
      await store.complete(id, 60_000)
      expect(await store.claim(id, 60_000)).toBe('done')
    })

    test('D2 of 50 parallel deliveries over two connections, one runs', async () => {
      const [stores, id] = [[open(), open()], newId()]
      let runs = 0
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, i) => processOnce(stores[i % 2] ?? open(), id, () => ++runs)),
      )
      expect(runs).toBe(1)
      expect(outcomes.filter(outcome => outcome.status === 'processed')).toEqual([
        { status: 'processed', value: 1, recorded: true },
      ])
      expect(await processOnce(open(), id, () => ++runs)).toEqual({ status: 'duplicate' })
    })

    test('A7 an event whose handler throws runs again', async () => {
      const [store, id] = [open(), newId()]
      const fail = processOnce(store, id, () => Promise.reject(new Error('no')))
      await expect(fail).rejects.toThrow('no')
      expect(await processOnce(store, id, () => 'yes')).toMatchObject({ status: 'processed', value: 'yes' })
    })

    test('D5 a known id with a different body causes a warning and no run, in progress or done', async () => {
      const [store, id] = [open(), newId()]
      const warnings: unknown[] = []
      const deliver = (body: string, fn: () => unknown = () => body) =>
        processOnce(store, id, fn, {
          body,
          onWarning: warning => warnings.push([warning.code, warning.hint]),
        })
      const changed = ['event_changed', id]
      const first = await deliver('first body', async () => {
        expect(await deliver('first body')).toEqual({ status: 'in_progress' })
        expect(warnings).toEqual([])
        expect(await deliver('second body')).toEqual({ status: 'in_progress' })
        expect(warnings).toEqual([changed])
        return 'ran'
      })
      expect(first).toMatchObject({ status: 'processed', value: 'ran' })
      expect(await deliver('first body')).toEqual({ status: 'duplicate' })
      expect(warnings).toEqual([changed])
      expect(await deliver('second body')).toEqual({ status: 'duplicate' })
      expect(warnings).toEqual([changed, changed])
    })

    test('D5 a released id accepts another body, which is then remembered', async () => {
      const [store, id] = [open(), newId()]
      const warnings: unknown[] = []
      const deliver = (body: string, fn: () => unknown) =>
        processOnce(store, id, fn, { body, onWarning: warning => warnings.push(warning.code) })
      await expect(deliver('first body', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
      expect(await deliver('second body', () => 1)).toMatchObject({ status: 'processed' })
      expect(warnings).toEqual([])
      await deliver('first body', () => 2)
      expect(warnings).toEqual(['event_changed'])
    })

    test('an id stored without a digest causes no warning', async () => {
      const [store, id] = [open(), newId()]
      const warnings: unknown[] = []
      await processOnce(store, id, () => 1)
      const again = processOnce(store, id, () => 2, { body: 'any', onWarning: one => warnings.push(one) })
      expect(await again).toEqual({ status: 'duplicate' })
      expect(warnings).toEqual([])
    })

    test('ids with special characters do not collide', async () => {
      const store = open()
      for (const id of ["it's", 'a:b', 'ü 🐘', '%', 'x'.repeat(255)]) {
        expect(await store.claim(`${newId()}${id}`, 60_000)).toBe('claimed')
      }
    })
  })
}
