import type { PortalSession } from '@posthorn/contract'
import { useState } from 'react'
import { useRows } from '../../api/use-rows.ts'
import { PortalLinkBadge } from '../../components/portal-link-badge.tsx'
import type { RowColumn } from '../../components/row.tsx'
import { RowList } from '../../components/row-list.tsx'
import { Time } from '../../components/time.tsx'
import { shortId } from '../../format/short-id.ts'
import { ChangeButton } from './change-button.tsx'
import { RevokeLinkDialog } from './revoke-link-dialog.tsx'

const idOf = (link: PortalSession): string => link.id

/** The portal links with their state. */
export function PortalLinkList({ accountId }: { accountId: string }) {
  const [revoking, setRevoking] = useState<PortalSession | null>(null)
  const rows = useRows({
    key: ['portal-links', accountId],
    load: async (call, query, signal) =>
      await call('listPortalSessions', { query: { ...query, account_id: accountId }, signal }),
    idOf,
    everyMs: 15_000,
  })
  return (
    <>
      <RowList
        label="Portal links"
        rows={rows}
        columns={columnsWith(setRevoking)}
        idOf={idOf}
        empty={<p className="text-ink-3">No links from the last 30 days.</p>}
      />
      {revoking !== null && <RevokeLinkDialog link={revoking} onClose={() => setRevoking(null)} />}
    </>
  )
}

function columnsWith(revoke: (link: PortalSession) => void): readonly RowColumn<PortalSession>[] {
  return [
    {
      name: 'Link',
      narrow: 'max-roomy:col-span-3 max-roomy:col-start-1 max-roomy:row-start-1',
      width: 'minmax(0, 1.2fr)',
      cell: link => link.name ?? <code title={link.id}>{shortId(link.id)}</code>,
    },
    {
      name: 'State',
      narrow: 'max-roomy:col-span-2 max-roomy:col-start-1 max-roomy:row-start-2',
      width: 'minmax(8rem, 1fr)',
      wraps: true,
      cell: link => <PortalLinkBadge link={link} />,
    },
    {
      name: 'Scopes',
      narrow: 'max-roomy:col-span-3 max-roomy:col-start-1 max-roomy:row-start-3 max-roomy:text-ink-2',
      width: '8rem',
      wraps: true,
      cell: link => link.scopes.join(', '),
    },
    {
      name: 'Embedded by',
      narrow: 'max-roomy:hidden',
      width: 'minmax(0, 1fr)',
      cell: link => (link.allowed_origins.length === 0 ? '—' : link.allowed_origins.join(', ')),
    },
    {
      name: 'Created',
      narrow: 'max-roomy:hidden',
      width: '8rem',
      cell: link => <Time at={link.created_at} />,
    },
    {
      name: 'Action',
      narrow: 'max-roomy:col-start-3 max-roomy:row-start-2',
      width: '6rem',
      align: 'end',
      cell: link =>
        link.revoked_at === null && (
          <ChangeButton kind="quiet" onClick={() => revoke(link)}>
            Revoke<span className="sr-only"> {link.name ?? link.id}</span>
          </ChangeButton>
        ),
    },
  ]
}
