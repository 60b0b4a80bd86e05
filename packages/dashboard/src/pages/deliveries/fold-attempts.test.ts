import type { Attempt } from '@posthorn/contract'
import { expect, test } from 'vitest'
import { foldAttempts } from './fold-attempts.ts'

test('the newest attempt has its own line, and equal attempts before it share one', () => {
  const attempts = [failed(1, 500), ...[2, 3, 4, 5, 6, 7].map(number => failed(number, null))]
  expect(numbers(attempts)).toEqual([[7], [6, 5, 4, 3, 2], [1]])
})

test('attempts with different statuses are on different lines', () => {
  expect(numbers([failed(1, 500), failed(2, 500), failed(3, 503), failed(4, 503)])).toEqual([
    [4],
    [3],
    [2, 1],
  ])
  expect(numbers([])).toEqual([])
})

function numbers(attempts: readonly Attempt[]): number[][] {
  return foldAttempts(attempts).map(run => run.map(attempt => attempt.number))
}

function failed(number: number, status: number | null): Attempt {
  return {
    id: `att_${number}`,
    number,
    started_at: '2026-11-21T03:04:40.118Z',
    duration_ms: 84,
    phases: { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null },
    outcome: 'failed',
    status_code: status,
    error: { code: status === null ? 'tls_expired' : 'status_not_2xx', message: '' },
    request_headers: null,
    response_headers: null,
    response_body: null,
    verified_by: null,
    trigger: 'schedule',
  }
}
