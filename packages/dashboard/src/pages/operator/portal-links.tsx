import type { Account, PortalSessionCreated } from '@posthorn/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { announce } from '../../app/announce.ts'
import { PortalLinkForm } from './portal-link-form.tsx'
import { PortalLinkList } from './portal-link-list.tsx'
import { PortalLinkOnce } from './portal-link-once.tsx'

/** Links that sign a customer in without an API key: create, copy once, list, revoke. */
export function PortalLinks({ account }: { account: Account }) {
  const queries = useQueryClient()
  const [made, setMade] = useState<PortalSessionCreated | null>(null)
  return (
    <section aria-labelledby="portal-links" className="space-y-3">
      <h2 id="portal-links">Portal links</h2>
      <p className="text-ink-2">
        A link opens this account’s dashboard without a sign-in. You can send it, or embed it in your own
        page. It works once.
      </p>
      <PortalLinkForm
        account={account}
        onMade={link => {
          setMade(link)
          announce('The portal link was created')
          void queries.invalidateQueries({ queryKey: ['portal-links', account.id] })
          void queries.invalidateQueries({ queryKey: ['audit-log', account.id] })
        }}
      />
      <PortalLinkList accountId={account.id} />
      {made?.url !== undefined && made.url !== null && (
        <PortalLinkOnce link={made} url={made.url} onDone={() => setMade(null)} />
      )}
    </section>
  )
}
