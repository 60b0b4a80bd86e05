import { CalendarDays } from 'lucide-react'
import { useRef, useState } from 'react'
import { usePreferences } from '../app/preferences.ts'
import { momentFromInput, momentToInput, momentToPicker } from '../format/moment-input.ts'
import { classNames } from './class-names.ts'

export interface MomentInputProps {
  /** For the label, which is elsewhere. */
  readonly id: string
  readonly label: string
  readonly atMs: number | null
  /** Null: the field was emptied. */
  readonly onChange: (atMs: number | null) => void
  readonly className?: string
}

/** A time written as on the pages, in the reader's zone. It applies on Enter or when the field loses focus. */
export function MomentInput({ id, label, atMs, onChange, className }: MomentInputProps) {
  const { zone } = usePreferences()
  const picker = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string | null>(null)
  // shown if what was typed is no time
  const [example, setExample] = useState<string | null>(null)
  const isWrong = example !== null
  const shown = atMs === null ? '' : momentToInput(atMs, zone)
  const read = (text: string): void => {
    const nowMs = Date.now()
    const readMs = momentFromInput(text, zone, nowMs)
    const isUnreadable = readMs === null && text.trim() !== ''
    setExample(isUnreadable ? momentToInput(nowMs, zone) : null)
    if (isUnreadable) return
    setTyped(null)
    if (text !== shown) onChange(readMs)
  }
  const act = (): void => {
    if (typed !== null) read(typed)
  }
  return (
    <span className={classNames('inline-flex flex-col gap-1', className)}>
      <span className="relative flex">
        <input
          id={id}
          autoComplete="off"
          spellCheck={false}
          value={typed ?? shown}
          aria-invalid={isWrong || undefined}
          aria-describedby={isWrong ? `${id}-wrong` : undefined}
          onChange={event => setTyped(event.target.value)}
          onBlur={act}
          onKeyDown={event => {
            if (event.key === 'Enter') act()
          }}
          className="min-h-8 w-full min-w-52 rounded border border-control bg-surface pr-9 pl-3 text-ink aria-invalid:border-exhausted pointer-coarse:min-h-11"
        />
        <button
          type="button"
          aria-label={`${label}: choose in a calendar`}
          onClick={() => picker.current?.showPicker()}
          className="absolute inset-y-0 right-0 inline-flex w-8 items-center justify-center text-ink-2 hover:text-ink"
        >
          <CalendarDays size={16} aria-hidden />
        </button>
        <input
          ref={picker}
          type="datetime-local"
          step={1}
          tabIndex={-1}
          aria-hidden
          value={atMs === null || Number.isNaN(atMs) ? '' : momentToPicker(atMs, zone)}
          onChange={event => read(event.target.value)}
          className="pointer-events-none absolute right-0 bottom-0 h-px w-px opacity-0"
        />
      </span>
      {isWrong && (
        <span id={`${id}-wrong`} role="alert" className="text-label text-exhausted">
          Write it like {example}.
        </span>
      )}
    </span>
  )
}
