import type { SigningKey } from '@posthorn/contract'
import { describe, expect, test } from 'vitest'
import { keyHistory } from './key-history.ts'
import { proofOf, rotationOf } from './rotation.ts'

function key(prefix: string, changes: Partial<SigningKey>): SigningKey {
  return {
    key_id: `whk_${prefix}`,
    state: 'staged',
    secret_prefix: `whsec_${prefix}`,
    created_at: '2026-02-01T00:00:00.000Z',
    promoted_at: null,
    retired_at: null,
    signature_name: null,
    verified_count: 0,
    last_verified_at: null,
    recent: null,
    ...changes,
  }
}

const march = '2026-03-01T00:00:00.000Z'
const april = '2026-04-01T00:00:00.000Z'
const may = '2026-05-01T00:00:00.000Z'

const first = key('1111', { state: 'retired', promoted_at: march, created_at: march, retired_at: april })
const second = key('2222', { state: 'primary', promoted_at: april })
const thrownAway = key('3333', { state: 'retired', retired_at: may })
const older = key('4444', { created_at: april })
const newer = key('5555', { created_at: may })

test('of two replacement keys the newest is listed first', () => {
  expect(rotationOf([first, older, second, thrownAway, newer])).toEqual({
    primary: second,
    staged: [newer, older],
  })
})

describe('proof', () => {
  test.each([
    [{ attempts: 12, verified: 12 }, 'all'],
    [{ attempts: 1, verified: 1 }, 'all'],
    [{ attempts: 12, verified: 11 }, 'some'],
    [{ attempts: 12, verified: 0 }, 'none'],
    [{ attempts: 0, verified: 0 }, 'none'],
    [null, 'none'],
  ] as const)('the proof from %o is %s', (recent, proof) => {
    expect(proofOf({ recent })).toBe(proof)
  })
})

test('the history shows what happened to each key, newest first, and which key it replaced', () => {
  const told = keyHistory([first, older, second, thrownAway]).map(
    ({ kind, at, key: one, replaced }) =>
      `${at.slice(0, 7)} ${one.secret_prefix} ${kind} ${replaced?.secret_prefix}`,
  )
  expect(told).toEqual([
    '2026-05 whsec_3333 discarded undefined',
    '2026-04 whsec_2222 promoted whsec_1111',
    '2026-03 whsec_1111 made undefined',
  ])
})
