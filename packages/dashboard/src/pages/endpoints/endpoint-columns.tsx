import { Spark } from '../../charts/spark.tsx'
import type { RowColumn } from '../../components/row.tsx'
import { endpointName } from '../../words/endpoint-name.ts'
import { formatCount, formatDuration, formatShare } from '../../format/numbers.ts'
import { subscriptionWords } from '../../words/endpoint-row-words.ts'
import { shareOf } from '../../words/share-words.ts'
import { EndpointMenu } from './endpoint-menu.tsx'
import { EndpointRowHealth } from './endpoint-row-health.tsx'
import type { ListedEndpoint } from './listed-endpoint.ts'

/** The columns of the list of endpoints. */
export const endpointColumns: readonly RowColumn<ListedEndpoint>[] = [
  {
    name: 'Endpoint',
    width: 'minmax(0, 1.3fr)',
    isName: true,
    wraps: true,
    cell: ({ webhook }) => (
      <span className="block py-1 max-wide:pr-10">
        <bdi className="block truncate font-medium">{endpointName(webhook)}</bdi>
        <span className="block truncate font-mono text-code text-ink-2" title={webhook.url}>
          {webhook.url}
        </span>
        <span className="block truncate text-label text-ink-3">{subscriptionWords(webhook.events)}</span>
      </span>
    ),
  },
  {
    name: 'Health',
    width: 'minmax(0, 1.2fr)',
    wraps: true,
    cell: ({ health }) => <EndpointRowHealth health={health} />,
  },
  {
    name: 'Last 24 h',
    width: '6rem',
    wideOnly: true,
    cell: ({ health }) => <Spark hours={health.hours} />,
  },
  {
    name: 'Delivered',
    width: '7.5rem',
    align: 'end',
    wideOnly: true,
    cell: ({ health }) => <DayShare health={health} />,
  },
  {
    name: 'Answer time',
    width: '5.5rem',
    align: 'end',
    wideOnly: true,
    cell: ({ health }) => <DayLatency health={health} />,
  },
  {
    name: 'Waiting',
    width: '3.5rem',
    align: 'end',
    wideOnly: true,
    cell: ({ health }) => formatCount(health.waiting_count),
  },
  {
    name: 'More',
    width: '2.5rem',
    align: 'end',
    wraps: true,
    cell: ({ webhook, health }) => <EndpointMenu webhook={webhook} health={health} />,
  },
]

/** The delivered share of the last 24 hours, and of how many. */
function DayShare({ health: { last_day: day } }: Pick<ListedEndpoint, 'health'>) {
  const share = shareOf(day)
  return (
    <>
      {formatShare(share)}
      {share !== null && (
        <span className="block text-label text-ink-3">
          {formatCount(day.delivered)} of {formatCount(day.delivered + day.failed)}
        </span>
      )}
    </>
  )
}

function DayLatency({ health: { last_day: day } }: Pick<ListedEndpoint, 'health'>) {
  return (
    <>
      {formatDuration(day.p50_ms)}
      {day.p95_ms !== null && (
        <span className="block text-label text-ink-3">p95 {formatDuration(day.p95_ms)}</span>
      )}
    </>
  )
}
