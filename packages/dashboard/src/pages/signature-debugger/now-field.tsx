import { useId } from 'react'
import { useNowMs } from '../../app/clock.ts'
import { usePreferences } from '../../app/preferences.ts'
import { Button } from '../../components/button.tsx'
import { MomentInput } from '../../components/moment-input.tsx'
import { zoneName } from '../../format/times.ts'

export interface NowFieldProps {
  /** Null: this browser's clock. */
  readonly atMs: number | null
  /** Which moment `atMs` is. */
  readonly meaning: string
  readonly onChange: (atMs: number | null) => void
}

/** The time for the age check: now, or any other. */
export function NowField({ atMs, meaning, onChange }: NowFieldProps) {
  const { zone } = usePreferences()
  const id = useId()
  const clockMs = useNowMs()
  const shownMs = atMs ?? clockMs
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="block font-medium">
        Now
      </label>
      <div className="flex flex-wrap items-start gap-2">
        <MomentInput id={id} label="Now" atMs={shownMs} onChange={onChange} className="flex-1" />
        {atMs !== null && <Button onClick={() => onChange(null)}>Use the current time</Button>}
      </div>
      <div className="text-label text-ink-3">
        {atMs === null ? 'The clock of this browser' : meaning}, {zoneName(zone, new Date(shownMs))}
      </div>
    </div>
  )
}
