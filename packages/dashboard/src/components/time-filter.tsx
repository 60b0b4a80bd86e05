import { useNowMs } from '../app/clock.ts'
import { usePreferences } from '../app/preferences.ts'
import { zoneName } from '../format/times.ts'
import { Button } from './button.tsx'
import { FilterMenu } from './filter-menu.tsx'
import { MomentField } from './moment-field.tsx'

export interface TimeRange {
  /** RFC 3339, inclusive. */
  readonly since?: string | undefined
  /** RFC 3339, exclusive. */
  readonly until?: string | undefined
}

const hourMs = 3_600_000
const presets = [
  { label: 'Last 1 h', ms: hourMs },
  { label: 'Last 24 h', ms: 24 * hourMs },
  { label: 'Last 7 d', ms: 7 * 24 * hourMs },
  { label: 'Last 30 d', ms: 30 * 24 * hourMs },
]

/**
 * A time range. A range such as the last 24 hours becomes its start time, so that everybody who opens the link sees
 * the same range.
 */
export function TimeFilter({ since, until, onChange }: TimeRange & { onChange: (range: TimeRange) => void }) {
  const { zone } = usePreferences()
  const nowMs = useNowMs()
  const count = (since === undefined ? 0 : 1) + (until === undefined ? 0 : 1)
  return (
    <FilterMenu label="Time" count={count}>
      <div className="space-y-3">
        <div className="grid grid-cols-2 gap-2">
          {presets.map(({ label, ms }) => (
            <Button
              key={label}
              onClick={() => onChange({ since: new Date(Date.now() - ms).toISOString(), until: undefined })}
            >
              {label}
            </Button>
          ))}
        </div>
        <div className="flex flex-col items-end gap-2 max-wide:items-start">
          <MomentField label="Since" at={since} onChange={at => onChange({ since: at, until })} />
          <MomentField label="Until" at={until} onChange={at => onChange({ since, until: at })} />
        </div>
        <p className="text-label text-ink-3">Times: {zoneName(zone, new Date(nowMs))}</p>
      </div>
    </FilterMenu>
  )
}
