import { useNowMs } from '../app/clock.ts'
import { prefer, usePreferences } from '../app/preferences.ts'
import { type Zone, zoneName } from '../format/times.ts'

/** The time zone of the whole page. The native select lies over a label that fits on phones. */
export function ZoneSwitch() {
  const { zone } = usePreferences()
  const now = new Date(useNowMs())
  const own = zoneName('local', now)
  const short = (zone === 'utc' ? 'UTC' : own).replace(/^.*\((.*)\)$/, '$1')
  return (
    <div className="relative inline-flex shrink-0 items-center gap-1 rounded border border-transparent px-2 py-1 text-label text-ink-2 hover:border-control has-focus-visible:outline-2 has-focus-visible:outline-ink pointer-coarse:min-h-11">
      <span aria-hidden className="max-desk:hidden">
        Times: {zoneName(zone, now)}
      </span>
      <span aria-hidden className="desk:hidden">
        {short}
      </span>
      <span aria-hidden>▾</span>
      <select
        aria-label="Time zone"
        value={zone}
        onChange={event => prefer({ zone: zones.find(one => one === event.target.value) ?? 'local' })}
        className="absolute inset-0 w-full appearance-none bg-surface text-body text-ink opacity-0"
      >
        <option value="local">{own === 'UTC' ? 'UTC (your browser’s zone)' : own}</option>
        <option value="utc">UTC</option>
      </select>
    </div>
  )
}

const zones: readonly Zone[] = ['local', 'utc']
