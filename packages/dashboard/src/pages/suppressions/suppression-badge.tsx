import type { Suppression, SuppressionState } from '@posthorn/contract'
import { Ban, CircleCheck, Hourglass } from 'lucide-react'
import { Badge, type BadgeLook } from '../../components/badge.tsx'
import { useNowMs } from '../../app/clock.ts'
import { usePreferences } from '../../app/preferences.ts'
import { formatDay, formatWhole } from '../../format/times.ts'

const looks: Record<SuppressionState, BadgeLook> = {
  // not red: it is what the customer or recipient wanted
  active: { icon: Ban, look: 'bg-sunken text-ink' },
  lapsed: { icon: Hourglass, look: 'bg-sunken text-ink-2' },
  lifted: { icon: CircleCheck, look: 'bg-sunken text-ink-2' },
}

export const suppressionStateWords: Readonly<Record<SuppressionState, string>> = {
  active: 'In force',
  lapsed: 'Lapsed',
  lifted: 'Lifted',
}

/** The state of a suppression, as icon, word and colour, with its dates. */
export function SuppressionBadge({ suppression }: { suppression: Suppression }) {
  const { state, lapses_at: lapsesAt, lifted_at: liftedAt } = suppression
  const { zone } = usePreferences()
  const nowMs = useNowMs()
  const at = liftedAt ?? lapsesAt
  return (
    <Badge {...looks[state]}>
      {suppressionStateWords[state]}
      {at !== null && (
        <>
          {state === 'active' && ' until'}{' '}
          <time dateTime={at} title={formatWhole(at, zone)}>
            {formatDay(at, zone, nowMs)}
          </time>
        </>
      )}
    </Badge>
  )
}
