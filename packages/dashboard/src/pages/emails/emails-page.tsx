import type { Email } from '@posthorn/contract'
import { useRows } from '../../api/use-rows.ts'
import type { EmailFilters } from '../../app/email-filters.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { useFilters } from '../../app/use-filters.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { foundWords, useAnnouncedFind } from '../../components/found-words.ts'
import { MomentField } from '../../components/moment-field.tsx'
import { NoMatch } from '../../components/no-match.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RowList } from '../../components/row-list.tsx'
import { useEmailColumns } from './email-columns.tsx'
import { EmailFilterBar } from './email-filter-bar.tsx'

const names = ['state', 'since', 'until'] as const satisfies (keyof EmailFilters)[]

/** The emails sent through this service, newest first and live. */
export function EmailsPage() {
  usePageTitle('Emails')
  const filtering = useFilters(names)
  const { filters, recipient, count, change, clear } = filtering
  const query = { ...filters, recipient: recipient ?? undefined }
  const rows = useRows<Email>({
    key: ['emails', 'list', query],
    load: async (call, page, signal) => await call('listEmails', { query: { ...query, ...page }, signal }),
    idOf,
  })
  const found = rows.isLoading ? null : foundWords(rows, 'email', 'emails')
  useAnnouncedFind(JSON.stringify([filters, recipient]), found)
  const columns = useEmailColumns(change)
  return (
    <>
      <PageHeader title="Emails" />
      <EmailFilterBar filtering={filtering} result={found === null ? 'Looking…' : `Show ${found}`} />
      <RowList
        label="Emails"
        rows={rows}
        columns={columns}
        idOf={idOf}
        hrefOf={({ id }) => `/emails/${id}`}
        empty={<NoEmails count={count} onClear={clear} />}
        foot={<MomentField label="jump to time" at={filters.until} onChange={at => change({ until: at })} />}
      />
    </>
  )
}

function idOf({ id }: Email): string {
  return id
}

function NoEmails({ count, onClear }: { count: number; onClear: () => void }) {
  if (count > 0) return <NoMatch one="email" filterCount={count} onClear={onClear} />
  return (
    <EmptyState>
      No email was sent with <code>POST /v1/emails</code> yet. If you send mail in another way, see the
      reported events.
    </EmptyState>
  )
}
