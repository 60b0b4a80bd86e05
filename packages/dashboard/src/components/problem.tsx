import { TriangleAlert } from 'lucide-react'
import { useNowMs } from '../app/clock.ts'
import { usePreferences } from '../app/preferences.ts'
import { formatTime } from '../format/times.ts'
import { problemWords } from '../words/problem-words.ts'
import { ApiProblem } from '../api/problem.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { useRetryCountdown } from './use-retry-countdown.ts'

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
      className="flex flex-wrap items-center gap-3 border-l-4 border-failed bg-failed-tint px-4 py-3"
    >
      <TriangleAlert size={16} aria-hidden className="text-failed" />
      <p className="max-w-none flex-1">
        {problemWords(error, readAt, seconds !== null)}{' '}
        {seconds !== null && (
          <>
            {/* a screen reader would read out every second */}
            <span aria-hidden>{seconds > 0 ? `We try again in ${seconds} s.` : 'We try again now.'}</span>
            <span className="sr-only">We try again by ourselves.</span>
          </>
        )}
      </p>
      {requestId !== null && <CopyButton text={requestId} what="request id" label="Copy request id" />}
      {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
    </div>
  )
}
