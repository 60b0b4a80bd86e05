import { expect, test } from 'vitest'
import { DueLine } from './due-line.ts'

/** `a2` is an endpoint of the account `a`. */
const endpoint = (endpointId: string, failuresInRow = 0) => ({
  accountId: endpointId.charAt(0),
  endpointId,
  failuresInRow,
  paced: false,
})

function lineOf(...endpointIds: string[]): DueLine {
  const line = new DueLine()
  for (const endpointId of endpointIds) line.set(endpoint(endpointId))
  return line
}

const inTurn = (line: DueLine): string[] => [...line.inTurn(() => false)].map(({ endpointId }) => endpointId)

test('an account with many endpoints is one among others', () => {
  expect(inTurn(lineOf('a1', 'a2', 'a3', 'b1', 'c1', 'c2'))).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
})

test('an account that may have no more is passed over from then on', () => {
  const line = lineOf('a1', 'a2', 'a3', 'b1', 'b2')
  let ofA = 2
  const asked = [...line.inTurn(accountId => accountId === 'a' && ofA-- === 0)]
  expect(asked.map(({ endpointId }) => endpointId)).toEqual(['a1', 'b1', 'a2', 'b2'])
})

test('who was asked comes last, and so does its account', () => {
  const line = lineOf('a1', 'a2', 'b1', 'c1')
  line.toEnd('a1')
  expect(inTurn(line)).toEqual(['b1', 'c1', 'a2', 'a1'])
  line.toEnd('b1')
  line.toEnd('nobody')
  expect(inTurn(line)).toEqual(['c1', 'a2', 'b1', 'a1'])
})

test('asked one at a time, every account is asked as often as every other, and within it every endpoint', () => {
  const line = lineOf('a1', 'a2', 'a3', 'b1', 'c1', 'c2')
  const asked: string[] = []
  for (let turn = 0; turn < 18; turn++) {
    const [first] = inTurn(line)
    if (first === undefined) throw new Error('nobody is in line')
    asked.push(first)
    line.toEnd(first)
  }
  const times = (name: string): number => asked.filter(one => one.startsWith(name)).length
  expect(['a', 'b', 'c'].map(times)).toEqual([6, 6, 6])
  expect(['a1', 'a2', 'a3', 'c1', 'c2'].map(times)).toEqual([2, 2, 2, 3, 3])
})

test('who is entered again keeps its place, and is known as it is now', () => {
  const line = lineOf('a1', 'a2')
  line.set(endpoint('a1', 7))
  expect([...line.inTurn(() => false)]).toEqual([endpoint('a1', 7), endpoint('a2')])
  expect(line.size).toBe(2)
})

test('who leaves is forgotten, with its account when it was the last of it', () => {
  const line = lineOf('a1', 'a2', 'b1')
  line.delete('b1')
  line.delete('a1')
  line.delete('nobody')
  expect([inTurn(line), line.size, line.get('b1'), line.get('a2')]).toEqual([
    ['a2'],
    1,
    undefined,
    endpoint('a2'),
  ])
  line.set(endpoint('b1'))
  expect(inTurn(line)).toEqual(['a2', 'b1'])
})

test('who may be sent as much as it takes is told from who may not, account by account', () => {
  const line = lineOf('a1')
  line.set({ ...endpoint('a1'), paced: true })
  line.set({ ...endpoint('b1'), paced: true })
  line.set(endpoint('b2'))
  expect(['a', 'b', 'c'].map(accountId => line.hasUnpaced(accountId))).toEqual([false, true, false])
})
