import { type ReplayState, replayStates } from '@posthorn/contract/plain'
import { useId } from 'react'
import { useNowMs } from '../../app/clock.ts'
import { usePreferences } from '../../app/preferences.ts'
import { formatCount } from '../../format/numbers.ts'
import { replayStateWords } from '../../words/replay-words.ts'
import type { DryRuns } from './use-dry-runs.ts'

export interface StateChoiceProps {
  readonly chosen: readonly ReplayState[]
  readonly runs: DryRuns['runs']
  /** When the last waiting delivery would be retried automatically. */
  readonly lastDueAt: string | null
  readonly onChange: (chosen: readonly ReplayState[]) => void
}

/** The states to replay, each with an explanation. */
export function StateChoice({ chosen, runs, lastDueAt, onChange }: StateChoiceProps) {
  const { zone } = usePreferences()
  const nowMs = useNowMs()
  const id = useId()
  return (
    <fieldset>
      <legend className="mb-1 font-medium">States</legend>
      <ul className="space-y-2">
        {replayStates.map(state => {
          const count = runs.get(state)?.count ?? null
          return (
            <li key={state} className="flex items-start gap-2">
              <input
                id={`${id}-${state}`}
                type="checkbox"
                checked={chosen.includes(state)}
                aria-describedby={`${id}-${state}-words`}
                onChange={event =>
                  onChange(
                    replayStates.filter(one => (one === state ? event.target.checked : chosen.includes(one))),
                  )
                }
                className="mt-1 pointer-coarse:size-5"
              />
              <div>
                <label htmlFor={`${id}-${state}`} className="font-medium">
                  {state}
                  {count !== null && `: ${formatCount(count)}`}
                </label>
                <p id={`${id}-${state}-words`} className="max-w-none text-ink-2">
                  {replayStateWords(state, count, lastDueAt, { zone, nowMs })}
                </p>
              </div>
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}
