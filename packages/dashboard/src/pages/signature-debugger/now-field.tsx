import { useNowMs } from '../../app/clock.ts'
import { usePreferences } from '../../app/preferences.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { momentFromInput, momentToInput } from '../../format/moment-input.ts'
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
  const clockMs = useNowMs()
  const shownMs = atMs ?? clockMs
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <TextField
          label="Now"
          hint={`${atMs === null ? 'The clock of this browser' : meaning}, ${zoneName(zone, new Date(shownMs))}`}
          type="datetime-local"
          step={1}
          value={momentToInput(shownMs, zone)}
          onChange={event => {
            // an incomplete input keeps the moment
            const chosenMs = momentFromInput(event.target.value, zone)
            if (chosenMs !== null) onChange(chosenMs)
          }}
        />
      </div>
      {atMs !== null && (
        <div className="pt-6">
          <Button onClick={() => onChange(null)}>Use the current time</Button>
        </div>
      )}
    </div>
  )
}
