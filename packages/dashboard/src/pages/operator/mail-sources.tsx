import type { MailSourceKind, System } from '@posthorn/contract'
import { RowTable } from '../../components/row-table.tsx'
import type { RowColumn } from '../../components/row.tsx'
import { Time } from '../../components/time.tsx'

type MailSource = System['mail_sources'][number]

/** The mail servers that report to this installation, with their last reports. */
export function MailSources({ system }: { system: System }) {
  const { mail_sources: sources } = system
  return (
    <section aria-labelledby="mail-sources" className="space-y-2">
      <h2 id="mail-sources">Mail sources</h2>
      {sources.length === 0 ? (
        <p className="text-ink-3">No mail server has reported yet.</p>
      ) : (
        <RowTable label="Mail sources" columns={columns} pages={[sources]} idOf={({ kind }) => kind} />
      )}
    </section>
  )
}

const kindWords: Record<MailSourceKind, string> = {
  postfix: 'Postfix, from its log',
  exim: 'Exim, from its log',
  lines: 'Other logs',
  kumomta: 'KumoMTA, from its log hook',
  message: 'Messages over HTTP',
  imap: 'Messages in a bounce mailbox',
  smtp: 'Messages to the SMTP port',
}

const columns: readonly RowColumn<MailSource>[] = [
  { name: 'Source', width: 'minmax(0, 1fr)', isName: true, cell: ({ kind }) => kindWords[kind] },
  {
    name: 'Last report',
    isLabelled: true,
    wraps: true,
    width: '14rem',
    cell: ({ last_at: at }) => <Time at={at} relative />,
  },
]
