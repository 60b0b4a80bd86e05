import { useEffect, useRef, useState } from 'react'
import { useNowMs } from '../app/clock.ts'
import { retrySeconds } from '../words/problem-words.ts'

const slowestSeconds = 60

/**
 * Retries by itself, once per answer, only in a visible tab, and less often each time.
 * @returns the seconds until the next try; null: it does not retry
 */
export function useRetryCountdown(error: Error, retry: (() => void) | undefined): number | null {
  const nowMs = useNowMs()
  const [told, setTold] = useState({ error, atMs: nowMs, tries: 0 })
  if (told.error !== error) setTold({ error, atMs: nowMs, tries: told.tries + 1 })
  const firstSeconds = retry === undefined ? null : retrySeconds(error)
  const waitSeconds =
    firstSeconds === null
      ? 0
      : Math.max(firstSeconds, Math.min(slowestSeconds, firstSeconds * 2 ** told.tries))
  const leftSeconds = Math.max(0, Math.ceil(waitSeconds - (nowMs - told.atMs) / 1_000))
  const isDue = firstSeconds !== null && told.error === error && leftSeconds === 0
  const latest = useRef(retry)
  useEffect(() => {
    latest.current = retry
  })
  useEffect(() => {
    if (isDue) latest.current?.()
  }, [isDue])
  return firstSeconds === null ? null : leftSeconds
}
