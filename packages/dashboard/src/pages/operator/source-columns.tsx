import type { ProviderSource } from '@posthorn/contract'
import type { RowColumn } from '../../components/row.tsx'
import { Time } from '../../components/time.tsx'
import { formatCount } from '../../format/numbers.ts'

/** What a mail provider has reported. */
export const reportColumns: readonly RowColumn<ProviderSource>[] = [
  {
    name: 'Events',
    isLabelled: true,
    width: '6rem',
    align: 'end',
    cell: source => formatCount(source.event_count),
  },
  {
    name: 'Ignored',
    isLabelled: true,
    width: '6rem',
    align: 'end',
    cell: source => formatCount(source.ignored_count),
  },
  {
    name: 'Refused',
    isLabelled: true,
    width: '6rem',
    align: 'end',
    cell: ({ refused_count: count }) => (
      <span className={count > 0 ? 'font-medium text-failed' : ''}>{formatCount(count)}</span>
    ),
  },
  {
    name: 'Last report',
    isLabelled: true,
    wraps: true,
    width: '15rem',
    align: 'end',
    cell: ({ last_at: at }) =>
      at === null ? <span className="text-ink-3">none yet</span> : <Time at={at} relative />,
  },
]
