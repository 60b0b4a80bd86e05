import type { Attempt } from '@posthorn/contract'
import { formatDuration } from '../format/numbers.ts'

export type Phase = 'dns' | 'connect' | 'tls' | 'server' | 'answer'

/** A part of an attempt's time. */
export interface PhaseSpan {
  readonly phase: Phase
  readonly fromMs: number
  readonly ms: number
  /** The attempt ended in this phase, without an answer. */
  readonly stopped: boolean
}

type Timed = Pick<Attempt, 'phases' | 'duration_ms' | 'status_code'> & {
  readonly error: Pick<NonNullable<Attempt['error']>, 'code'> | null
}

/** A shorter time is a rounding error. */
const noticeableMs = 0.5

/** Where an attempt's time went, in order. Time outside all phases belongs to the last phase or to the answer. */
export function phaseSpans({ phases, duration_ms: totalMs, status_code: status, error }: Timed): PhaseSpan[] {
  const spans: PhaseSpan[] = []
  let fromMs = 0
  const add = (phase: Phase, ms: number | null, stopped = false): void => {
    if (ms === null) return
    spans.push({ phase, fromMs, ms, stopped })
    fromMs += ms
  }
  add('dns', phases.dns_ms)
  add('connect', phases.connect_ms)
  add('tls', phases.tls_ms)
  add('server', phases.first_byte_ms)
  const restMs = Math.max(0, totalMs - fromMs)
  if (error !== null && status === null) add(stoppedIn(phases, error.code), restMs, true)
  else if (restMs >= noticeableMs) add('answer', restMs)
  return spans
}

function stoppedIn(phases: Attempt['phases'], code: NonNullable<Timed['error']>['code']): Phase {
  if (phases.first_byte_ms !== null) return 'answer'
  switch (code) {
    case 'dns_failed':
    case 'address_refused':
      return 'dns'
    case 'connect_refused':
      return 'connect'
    case 'tls_failed':
    case 'tls_name_mismatch':
    case 'tls_expired':
      return 'tls'
    case 'connect_timeout':
      return phases.connect_ms === null ? 'connect' : 'tls'
    case 'connection_reset':
    case 'response_timeout':
    case 'response_malformed':
    case 'redirect_refused':
    case 'status_not_2xx':
    case 'request_timeout':
    case 'headers_too_large':
    case 'aborted_by_shutdown':
    case 'unknown':
      return 'server'
  }
}

/** The phases in words: `DNS 2 ms · connect 9 ms · stopped in TLS after 37 ms`. */
export function phaseWords(spans: readonly PhaseSpan[]): string {
  return spans
    .map(({ phase, ms, stopped }) =>
      stopped
        ? `stopped ${stoppedWords[phase]} after ${formatDuration(ms)}`
        : `${names[phase]} ${formatDuration(ms)}`,
    )
    .join(' · ')
}

const names: Record<Phase, string> = {
  dns: 'DNS',
  connect: 'connect',
  tls: 'TLS',
  server: 'your server',
  answer: 'reading the answer',
}

const usedWords: Record<Phase, string> = {
  ...names,
  connect: 'connecting',
  server: 'waiting for your server',
}

const stoppedWords: Record<Phase, string> = {
  dns: 'at DNS',
  connect: 'connecting',
  tls: 'in TLS',
  server: 'waiting for your server',
  answer: 'within the answer',
}

/**
 * The time limit that ended an attempt, and the slowest phase: `15.0 s of 15 s, 14.9 s of it waiting for your
 * server`. Null if no limit ended it. The limit comes from the attempt's own message, because the operator may have
 * changed the setting since.
 */
export function limitWords(attempt: Timed & Pick<Attempt, 'error'>): string | null {
  const limitS = /within (\d+(?:\.\d+)?) s\b/.exec(attempt.error?.message ?? '')?.[1]
  if (limitS === undefined || attempt.status_code !== null) return null
  const limitMs = Number(limitS) * 1_000
  const spans = phaseSpans(attempt)
  // connecting has its own limit, which starts after DNS
  const startMs = attempt.error?.code === 'connect_timeout' ? (attempt.phases.dns_ms ?? 0) : 0
  const usedMs = attempt.duration_ms - startMs
  // a host can also be unknown right away, without a timeout
  if (usedMs < limitMs * 0.98) return null
  const longest = spans.toSorted((a, b) => b.ms - a.ms)[0]
  const by = longest === undefined ? '' : `, ${seconds(longest.ms)} of it ${usedWords[longest.phase]}`
  return `${seconds(usedMs)} of ${limitS} s${by}`
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
