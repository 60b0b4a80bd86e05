import { Spark } from '../../charts/spark.tsx'
import type { RowColumn } from '../../components/row.tsx'
import { Time } from '../../components/time.tsx'
import { formatCount, formatShare } from '../../format/numbers.ts'
import { subscriptionWords } from '../../words/endpoint-row-words.ts'
import { acknowledgedShare } from '../../words/spark-words.ts'
import { EndpointMenu } from './endpoint-menu.tsx'
import { EndpointRowHealth } from './endpoint-row-health.tsx'
import type { ListedEndpoint } from './listed-endpoint.ts'

/** The columns of the list of endpoints. */
export const endpointColumns: readonly RowColumn<ListedEndpoint>[] = [
  {
    name: 'Endpoint',
    width: 'minmax(0, 1fr)',
    isName: true,
    wraps: true,
    cell: ({ webhook }) => (
      <span className="block py-1 max-wide:pr-10">
        <span className="block truncate font-mono text-code">{webhook.url}</span>
        <span className="block truncate text-label text-ink-3">
          {webhook.description !== '' && (
            <>
              <bdi>{webhook.description}</bdi> ·{' '}
            </>
          )}
          {subscriptionWords(webhook.events)}
        </span>
      </span>
    ),
  },
  {
    name: 'Health',
    width: 'minmax(0, 1.3fr)',
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
    width: '4rem',
    align: 'end',
    wideOnly: true,
    cell: ({ health }) => formatShare(acknowledgedShare(health.hours)),
  },
  {
    name: 'Waiting',
    width: '3.5rem',
    align: 'end',
    wideOnly: true,
    cell: ({ health }) => formatCount(health.waiting_count),
  },
  {
    name: 'Last success',
    width: '6.75rem',
    align: 'end',
    wideOnly: true,
    cell: ({ health }) => (health.last_success_at === null ? '—' : <Time at={health.last_success_at} />),
  },
  {
    name: 'More',
    width: '2.5rem',
    align: 'end',
    wraps: true,
    cell: ({ webhook, health }) => <EndpointMenu webhook={webhook} health={health} />,
  },
]
