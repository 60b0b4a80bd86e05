import { useEffect, useRef, useState } from 'react'
import { useNowMs } from '../app/clock.ts'
import { retrySeconds } from '../words/problem-words.ts'

/** Retries as "we try again in 5 s" promises: once per answer, and only in a visible tab. */
export function usePromisedRetry(error: Error, retry: (() => void) | undefined): void {
  const nowMs = useNowMs()
  const [told, setTold] = useState({ error, atMs: nowMs })
  if (told.error !== error) setTold({ error, atMs: nowMs })
  const seconds = retrySeconds(error)
  const isDue = seconds !== null && told.error === error && nowMs - told.atMs >= seconds * 1_000
  const latest = useRef(retry)
  useEffect(() => {
    latest.current = retry
  })
  useEffect(() => {
    if (isDue) latest.current?.()
  }, [isDue])
}
