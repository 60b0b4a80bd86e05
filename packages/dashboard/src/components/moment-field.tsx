import { canonicalTimestamp } from '@posthorn/contract/plain'
import { useId, useState } from 'react'
import { usePreferences } from '../app/preferences.ts'
import { momentFromInput, momentToInput } from '../format/moment-input.ts'

export interface MomentFieldProps {
  readonly label: string
  /** RFC 3339. */
  readonly at: string | undefined
  readonly onChange: (at: string | undefined) => void
}

/** An exact time in the reader's zone; it applies on Enter or when the field loses focus. */
export function MomentField({ label, at, onChange }: MomentFieldProps) {
  const { zone } = usePreferences()
  const id = useId()
  const shown = at === undefined ? '' : momentToInput(Date.parse(canonicalTimestamp(at)), zone)
  const [typed, setTyped] = useState<string | null>(null)
  const act = (): void => {
    setTyped(null)
    if (typed === null || typed === shown) return
    const atMs = momentFromInput(typed, zone)
    onChange(atMs === null ? undefined : new Date(atMs).toISOString())
  }
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="datetime-local"
        step={1}
        value={typed ?? shown}
        onChange={event => setTyped(event.target.value)}
        onBlur={act}
        onKeyDown={event => {
          if (event.key === 'Enter') act()
        }}
        className="rounded border border-control bg-surface px-2 py-0.5 text-ink pointer-coarse:min-h-11"
      />
    </span>
  )
}
