import type { EventType, OutcomeCounts, OutcomeStats, RateThresholds, Stats } from '@posthorn/contract'
import { Figure } from '../../components/figure.tsx'
import { RateBadge } from '../../components/rate-badge.tsx'
import {
  beforeWords,
  bounceRate,
  complaintRate,
  deliveredRate,
  type OutcomeRate,
  ratePartsWords,
  rateState,
  rateWords,
  unsubscribeRate,
} from '../../words/outcome-rates.ts'
import { FigureLink } from './figure-link.tsx'

export interface OutcomeFiguresProps {
  readonly stats: Stats | undefined
  readonly earlier: OutcomeStats | null | undefined
}

interface RateFigure {
  readonly label: string
  readonly type: EventType
  readonly rateOf: (counts: OutcomeCounts) => OutcomeRate
  /** What the denominator counts. */
  readonly unit: string
  readonly limits?: keyof RateThresholds
}

const figures: readonly RateFigure[] = [
  { label: 'Emails delivered', type: 'email.delivered', rateOf: deliveredRate, unit: 'emails' },
  { label: 'Bounce rate', type: 'email.bounced', rateOf: bounceRate, unit: 'emails', limits: 'bounce_rate' },
  {
    label: 'Complaint rate',
    type: 'email.unsubscribed',
    rateOf: complaintRate,
    unit: 'delivered',
    limits: 'complaint_rate',
  },
  {
    label: 'Unsubscribe rate',
    type: 'email.unsubscribed',
    rateOf: unsubscribeRate,
    unit: 'delivered',
  },
]

/** How much mail arrived, bounced and annoyed, each as a rate with its numbers and the rate before. */
export function OutcomeFigures({ stats, earlier }: OutcomeFiguresProps) {
  const before = earlier === null ? null : earlier?.total
  return (
    <dl aria-label="Emails" className="mb-6 grid grid-cols-2 gap-3 desk:grid-cols-4">
      {figures.map(figure => (
        <RateOf key={figure.label} figure={figure} stats={stats} earlier={before} />
      ))}
    </dl>
  )
}

interface RateOfProps {
  readonly figure: RateFigure
  readonly stats: Stats | undefined
  readonly earlier: OutcomeCounts | null | undefined
}

function RateOf({ figure: { label, type, rateOf, unit, limits }, stats, earlier }: RateOfProps) {
  const counts = stats?.outcomes?.total
  if (stats === undefined || counts === undefined) return <Figure label={label} value="—" detail="" note="" />
  const rate = rateOf(counts)
  if (rate.of === 0)
    return (
      <Figure
        label={label}
        value="—"
        detail={`no emails${unit === 'delivered' ? ' delivered' : ''}`}
        note=""
      />
    )
  const state = limits === undefined ? null : rateState(rate, stats.thresholds[limits])
  return (
    <Figure
      label={label}
      value={
        <FigureLink to="/events" search={{ type, since: stats.since }}>
          {rateWords(rate)}
        </FigureLink>
      }
      {...(state !== null && { badge: <RateBadge state={state} /> })}
      detail={`${ratePartsWords(rate)} ${unit}`}
      note={beforeWords(earlier, rateOf)}
    />
  )
}
