import { expect, test } from 'vitest'
import { DueShares, type NotNow } from './due-shares.ts'
import type { ReadyEndpoint } from './find-ready.ts'
import type { Share } from './lane.ts'

const everyone: NotNow = { full: () => false, capped: () => false }

/** `f1` is an endpoint that fails and `p2` one that is proven, unless `changed` says otherwise. */
function open(endpointIds: readonly string[]) {
  const changed = new Map<string, Share>()
  const shareOf = ({ endpointId }: ReadyEndpoint): Share =>
    changed.get(endpointId) ??
    (endpointId.startsWith('f') ? 'failing' : endpointId.startsWith('p') ? 'proven' : 'unproven')
  const due = new DueShares(shareOf)
  const set = (endpointId: string, failuresInRow = 0): void =>
    due.set({ accountId: `of ${endpointId}`, endpointId, failuresInRow, paced: false })
  for (const endpointId of endpointIds) set(endpointId)
  const asked = (notNow: Partial<NotNow> = {}): string[] =>
    [...due.inTurn({ ...everyone, ...notNow })].map(({ endpoint }) => endpoint.endpointId)
  return { due, set, changed, asked }
}

test('shares take turns, and each time another one is first', () => {
  const { asked } = open(['f1', 'f2', 'p1', 'p2', 'u1'])
  expect(asked()).toEqual(['p1', 'u1', 'f1', 'p2', 'f2'])
  expect(asked()).toEqual(['u1', 'f1', 'p1', 'f2', 'p2'])
  expect(asked()).toEqual(['f1', 'p1', 'u1', 'f2', 'p2'])
})

test('where a share may have no more, none of its thousands is looked at', () => {
  const { asked } = open(['p1', ...Array.from({ length: 5_000 }, (_, n) => `f${n}`)])
  const lookedAt: string[] = []
  const capped = (_: Share, accountId: string): boolean => {
    lookedAt.push(accountId)
    return false
  }
  expect(asked({ full: share => share === 'failing', capped })).toEqual(['p1'])
  expect(lookedAt).toEqual(['of p1'])
})

test('a share that becomes full meanwhile is asked no further', () => {
  const { asked } = open(['f1', 'f2', 'f3', 'p1', 'p2'])
  let ofFailing = 1
  expect(asked({ full: share => share === 'failing' && ofFailing-- === 0 })).toEqual(['p1', 'f1', 'p2'])
})

test('where the line of an endpoint begins stays known when one more becomes due, until a look says otherwise', () => {
  const { due, set, changed } = open(['p1'])
  const beginsAtMs = (): Array<number | undefined> =>
    [...due.inTurn(everyone)].map(({ endpoint }) => endpoint.dueFromMs)
  expect(beginsAtMs()).toEqual([undefined])
  due.set({ accountId: 'of p1', endpointId: 'p1', failuresInRow: 0, paced: false, dueFromMs: 5 })
  set('p1')
  expect(beginsAtMs()).toEqual([5])
  changed.set('p1', 'failing')
  set('p1')
  expect(beginsAtMs()).toEqual([5])
  due.set({ accountId: 'of p1', endpointId: 'p1', failuresInRow: 0, paced: false, dueFromMs: 4 })
  expect(beginsAtMs()).toEqual([4])
})

test('an endpoint that works now no longer waits among those that fail', () => {
  const { due, set, changed, asked } = open(['f1', 'f2'])
  const full = (share: Share): boolean => share === 'failing'
  changed.set('f1', 'proven')
  due.sort('f1')
  due.sort('nobody')
  expect(asked({ full })).toEqual(['f1'])
  changed.set('f2', 'unproven')
  set('f2', 7)
  expect([asked({ full }).toSorted(), due.size]).toEqual([['f1', 'f2'], 2])
  due.delete('f1')
  expect([due.has('f1'), due.has('f2'), due.size]).toEqual([false, true, 1])
})
