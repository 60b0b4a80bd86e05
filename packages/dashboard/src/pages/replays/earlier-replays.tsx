import type { Replay } from '@posthorn/contract'
import { useRows } from '../../api/use-rows.ts'
import { RowList } from '../../components/row-list.tsx'
import type { RowColumn } from '../../components/row.tsx'
import { Time } from '../../components/time.tsx'
import { formatCount } from '../../format/numbers.ts'
import { shownState } from '../../words/replay-words.ts'
import { ReplayBadge } from './replay-badge.tsx'

const columns: readonly RowColumn<Replay>[] = [
  {
    name: 'State',
    width: '6.5rem',
    isName: true,
    cell: replay => <ReplayBadge state={shownState(replay)} />,
  },
  { name: 'Started', width: '8.5rem', cell: ({ created_at: at }) => <Time at={at} /> },
  {
    name: 'Window',
    width: 'minmax(0, 2fr)',
    cell: ({ since, until }) => (
      <>
        <Time at={since} /> to <Time at={until} />
      </>
    ),
  },
  { name: 'States', width: 'minmax(0, 1.2fr)', cell: ({ states }) => states.join(', ') },
  { name: 'Queued', width: '7.5rem', align: 'end', cell: replay => queuedWords(replay) },
  {
    name: 'Delivered',
    width: '5.5rem',
    align: 'end',
    wideOnly: true,
    cell: ({ delivered }) => formatCount(delivered),
  },
  {
    name: 'Failed again',
    width: '6rem',
    align: 'end',
    wideOnly: true,
    cell: ({ failed_again: failed }) => formatCount(failed),
  },
]

/** The replays of an endpoint, newest first. */
export function EarlierReplays({ webhookId }: { webhookId: string }) {
  const rows = useRows({
    key: ['replays', 'of', webhookId],
    load: async (call, query, signal) =>
      await call('listReplays', { params: { id: webhookId }, query, signal }),
    idOf,
  })
  return (
    <section aria-labelledby="earlier-replays">
      <h2 id="earlier-replays" className="mb-2">
        Earlier replays
      </h2>
      <RowList
        label="Earlier replays"
        rows={rows}
        columns={columns}
        idOf={idOf}
        hrefOf={({ id }) => `/replays/${id}`}
        empty={<p className="text-ink-2">No replays yet.</p>}
      />
    </section>
  )
}

function idOf({ id }: Replay): string {
  return id
}

function queuedWords({ done, total }: Replay): string {
  return done === total ? formatCount(total) : `${formatCount(done)} of ${formatCount(total)}`
}
