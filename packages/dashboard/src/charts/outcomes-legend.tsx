import type { EventType, OutcomeCounts } from '@posthorn/contract'
import { TextLink } from '../components/text-link.tsx'
import { formatCount } from '../format/numbers.ts'
import { Legend, LegendEntry } from './legend.tsx'

/** The legend: each outcome with its number, which links to its events. */
export function OutcomesLegend({ total, since }: { total: OutcomeCounts; since: string }) {
  return (
    <Legend>
      {entries.map(({ type, word, look, countOf }) => (
        <LegendEntry key={type} look={look} word={word}>
          <TextLink to="/events" search={{ type, since }}>
            {formatCount(countOf(total))}
          </TextLink>
        </LegendEntry>
      ))}
    </Legend>
  )
}

interface Entry {
  readonly type: EventType
  readonly word: string
  readonly look: string
  readonly countOf: (counts: OutcomeCounts) => number
}

const entries: readonly Entry[] = [
  { type: 'email.delivered', word: 'Delivered', look: 'bg-c-delivered', countOf: one => one.delivered },
  { type: 'email.bounced', word: 'Bounced', look: 'hatched', countOf: one => one.bounced },
  { type: 'email.failed', word: 'Failed', look: 'bg-c-failed', countOf: one => one.failed },
  { type: 'email.unsubscribed', word: 'Unsubscribed', look: 'striped', countOf: one => one.unsubscribed },
]
