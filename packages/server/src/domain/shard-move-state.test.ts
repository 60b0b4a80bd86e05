import { expect, test } from 'vitest'
import { type ServerState, shardMoveState } from './shard-move-state.ts'

const primary = { name: 'old:5432', systemId: '7', isStandby: false, isReadOnly: false }
const standby = { ...primary, name: 'new:5432', isStandby: true }

test.each<[string, ServerState, ServerState, 'waiting' | 'moved']>([
  ['a primary and its standby', primary, standby, 'waiting'],
  ['a fenced primary and its standby', { ...primary, isReadOnly: true }, standby, 'waiting'],
  ['a fenced primary, and the promoted standby', { ...primary, isReadOnly: true }, primary, 'moved'],
  ['a standby that follows the target', standby, primary, 'moved'],
])('%s', (_, source, target, state) => {
  expect(shardMoveState(source, target)).toBe(state)
})

test.each<[string, ServerState, ServerState, string]>([
  ['two servers that accept writes', primary, primary, 'is not a standby'],
  ['the standby of another cluster', primary, { ...standby, systemId: '8' }, 'another database cluster'],
  ['two standbys', standby, standby, 'are both standbys'],
  [
    'the fenced source as the target of its standby',
    standby,
    { ...primary, isReadOnly: true },
    '--to new:5432 --cancel',
  ],
  ['a target that would be read-only', primary, { ...standby, isReadOnly: true }, 'alter system reset'],
])('%s are refused', (_, source, target, reason) => {
  expect(() => shardMoveState(source, target)).toThrow(reason)
})
