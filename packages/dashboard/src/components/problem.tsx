import { TriangleAlert } from 'lucide-react'
import { useNowMs } from '../app/clock.ts'
import { usePreferences } from '../app/preferences.ts'
import { formatTime } from '../format/times.ts'
import { problemWords, retrySeconds } from '../words/problem-words.ts'
import { ApiProblem } from '../api/problem.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { useEffect, useRef, useState } from 'react'

export interface ProblemProps {
  readonly error: Error
  readonly onRetry?: (() => void) | undefined
  /** When the data still on the page was loaded; 0 or nothing: there is none. */
  readonly readAtMs?: number
}

/** What went wrong and what to do; loaded data stays on the page. */
export function Problem({ error, onRetry, readAtMs = 0 }: ProblemProps) {
  const { zone } = usePreferences()
  const nowMs = useNowMs()
  const seconds = useRetryCountdown(error, onRetry)
  const readAt = readAtMs === 0 ? null : formatTime(new Date(readAtMs).toISOString(), zone, nowMs)
  const requestId = error instanceof ApiProblem && error.status >= 500 ? error.requestId : null
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-l-4 border-failed bg-failed-tint px-4 py-3"
    >
      <div className="flex flex-1 basis-72 items-start gap-3">
        <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-failed" />
        <p className="max-w-none">
          {problemWords(error, readAt, seconds !== null)}{' '}
          {seconds !== null && (
            <>
              {/* a screen reader would read out every second */}
              <span aria-hidden>{seconds > 0 ? `We try again in ${seconds} s.` : 'We try again now.'}</span>
              <span className="sr-only">We try again by ourselves.</span>
            </>
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2 empty:hidden">
        {requestId !== null && <CopyButton text={requestId} what="request id" label="Copy request id" />}
        {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
      </div>
    </div>
  )
}

const slowestSeconds = 60

/**
 * Retries by itself, once per answer, only in a visible tab, and less often each time.
 * @returns the seconds until the next try; null: it does not retry
 */
function useRetryCountdown(error: Error, retry: (() => void) | undefined): number | null {
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
