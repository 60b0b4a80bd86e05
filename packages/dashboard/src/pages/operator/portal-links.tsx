import type { Account, PortalSessionCreated } from '@posthorn/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { announce } from '../../app/announce.ts'
import { PortalLinkForm } from './portal-link-form.tsx'
import { PortalLinkList } from './portal-link-list.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { OnceDialog } from '../../components/once-dialog.tsx'
import { Time } from '../../components/time.tsx'
import { frameCode } from '../../words/portal-link-words.ts'

/** Links that sign a customer in without an API key: create, copy once, list, revoke. */
export function PortalLinks({ account }: { account: Account }) {
  const queries = useQueryClient()
  const [made, setMade] = useState<PortalSessionCreated | null>(null)
  return (
    <section aria-labelledby="portal-links" className="space-y-3">
      <h2 id="portal-links">Portal links</h2>
      <p className="text-ink-2">
        A link opens this account’s dashboard without signing in. You can send it, or embed it in your own
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

interface PortalLinkOnceProps {
  readonly link: PortalSessionCreated
  readonly url: string
  readonly onDone: () => void
}

/** The link, shown for the only time; the first person who opens it is signed in. */
function PortalLinkOnce({ link, url, onDone }: PortalLinkOnceProps) {
  return (
    <OnceDialog
      title="Copy the portal link"
      about="This is the only time we show it. It works once, for the first person who opens it."
      leaveWords="Leave without copying? You would have to create another link."
      what="link"
      secret={url}
      onDone={onDone}
    >
      <p>
        It works until <Time at={link.expires_at} relative />.
      </p>
      {link.allowed_origins.length > 0 && (
        <>
          <p>To embed it in a page of {link.allowed_origins.join(', ')}:</p>
          <CodeBlock code={frameCode(url)} what="frame" />
        </>
      )}
    </OnceDialog>
  )
}
