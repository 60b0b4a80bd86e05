import type { Email } from '@posthorn/contract'
import { defaultEventTypes } from '@posthorn/contract/plain'
import { useRows } from '../../api/use-rows.ts'
import { useSendingLimits } from '../../api/use-sending-limits.ts'
import type { EmailFilters } from '../../app/email-filters.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { useFilters } from '../../app/use-filters.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { foundWords, useAnnouncedFind } from '../../components/found-words.ts'
import { MomentField } from '../../components/moment-field.tsx'
import { NoMatch } from '../../components/no-match.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RowList } from '../../components/row-list.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { sendingUse } from '../../words/sending-words.ts'
import { SendingNotice } from '../overview/sending-notice.tsx'
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
  const { data: limits } = useSendingLimits()
  const use = limits === undefined ? null : sendingUse(limits)
  return (
    <>
      <PageHeader title="Emails" />
      <div className="mb-4 empty:hidden">
        <SendingNotice />
      </div>
      <p className="mb-3 text-ink-2">
        Only emails sent with Posthorn. For other mail, see <EventsLink state={filters.state} />.
        {use !== null && ` Your account has sent ${use}.`}
      </p>
      <EmailFilterBar filtering={filtering} result={found === null ? 'Looking…' : `Show ${found}`} />
      <RowList
        label="Emails"
        rows={rows}
        columns={columns}
        idOf={idOf}
        hrefOf={({ id }) => `/emails/${id}`}
        empty={<NoEmails state={filters.state} count={count} onClear={clear} />}
        foot={<MomentField label="jump to time" at={filters.until} onChange={at => change({ until: at })} />}
      />
    </>
  )
}

function idOf({ id }: Email): string {
  return id
}

/** The events of a state, if there is one for it; otherwise all. */
function EventsLink({ state }: { state: string | undefined }) {
  const type = defaultEventTypes.find(one => one === `email.${state}`)
  return (
    <TextLink to="/events" search={type === undefined ? {} : { type }}>
      {type === undefined ? 'all events' : `all ${type} events`}
    </TextLink>
  )
}

interface NoEmailsProps {
  readonly state: string | undefined
  readonly count: number
  readonly onClear: () => void
}

function NoEmails({ state, count, onClear }: NoEmailsProps) {
  if (count > 0) {
    return (
      <NoMatch one="email sent with Posthorn" filterCount={count} onClear={onClear}>
        For other mail, see <EventsLink state={state} />.
      </NoMatch>
    )
  }
  return (
    <EmptyState>
      No email was sent with <code>POST /v1/emails</code> yet. If you send mail in another way, see the
      reported events.
    </EmptyState>
  )
}
