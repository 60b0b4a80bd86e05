import type { SuppressionCounts } from '@posthorn/contract'
import { suppressionReasons } from '@posthorn/contract/plain'
import { cappedWords, suppressionReasonWords } from '../../words/suppression-words.ts'

export interface ReasonChipsProps {
  /** Separated by commas, as in the URL. */
  readonly chosen: string | undefined
  /** Null: unknown, or the list does not only show suppressions in force. */
  readonly counts: SuppressionCounts | null
  readonly onChange: (chosen: string | null) => void
}

/** The reasons as chips that filter the list, each with how many suppressions it has. */
export function ReasonChips({ chosen, counts, onChange }: ReasonChipsProps) {
  const on = new Set(chosen?.split(',') ?? [])
  return (
    <fieldset className="mb-3 flex flex-wrap gap-2">
      <legend className="sr-only">Reason</legend>
      {suppressionReasons.map(reason => {
        const count = counts?.by_reason[reason]
        const toggle = (): void => {
          const wanted = suppressionReasons.filter(other => on.has(other) !== (other === reason))
          onChange(wanted.length === 0 ? null : wanted.join(','))
        }
        return (
          <button
            key={reason}
            type="button"
            aria-pressed={on.has(reason)}
            onClick={toggle}
            className="inline-flex min-h-8 items-center gap-2 rounded-full border border-control bg-surface px-3 text-ink-2 hover:bg-sunken aria-pressed:border-brass-edge aria-pressed:bg-selected aria-pressed:text-ink pointer-coarse:min-h-11"
          >
            {suppressionReasonWords[reason]}
            {count !== undefined && <span className="text-ink-3 tabular-nums">{cappedWords(count)}</span>}
          </button>
        )
      })}
    </fieldset>
  )
}
