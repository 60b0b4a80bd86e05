import { useNowMs } from '../../app/clock.ts'
import { usePreferences } from '../../app/preferences.ts'
import { Button } from '../../components/button.tsx'
import { MomentField } from '../../components/moment-field.tsx'
import { formatMinute, zoneName } from '../../format/times.ts'
import type { ReplayWindow } from './use-dry-runs.ts'
import type { ProposedWindow } from './use-window.ts'

export interface ReplayWindowFieldsProps extends ProposedWindow {
  readonly window: ReplayWindow
  readonly onChange: (window: ReplayWindow) => void
}

/** The start and end of the window, with the outage that we saw as a proposal. */
export function ReplayWindowFields({ window, outage, proposal, onChange }: ReplayWindowFieldsProps) {
  const { zone } = usePreferences()
  const nowMs = useNowMs()
  const { since, until } = window
  const time = (ms: number): string => formatMinute(new Date(ms).toISOString(), zone, nowMs)
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <MomentField label="From" at={since} onChange={at => onChange({ since: at ?? since, until })} />
        {until !== undefined && (
          <MomentField label="to" at={until} onChange={at => onChange({ since, until: at })} />
        )}
        <label className="inline-flex items-center gap-2 pointer-coarse:min-h-11">
          <input
            type="checkbox"
            checked={until === undefined}
            onChange={event =>
              onChange({ since, until: event.target.checked ? undefined : new Date(nowMs).toISOString() })
            }
          />
          to now
        </label>
        <span className="text-label text-ink-3">{zoneName(zone, new Date(nowMs))}</span>
      </div>
      {outage !== null && (
        <p className="flex max-w-none flex-wrap items-center gap-x-2 text-ink-2">
          Outage we saw: {time(outage.sinceMs)} to {outage.untilMs === null ? 'now' : time(outage.untilMs)}
          {proposal !== null && <Button onClick={() => onChange(proposal)}>Use it</Button>}
        </p>
      )}
    </div>
  )
}
