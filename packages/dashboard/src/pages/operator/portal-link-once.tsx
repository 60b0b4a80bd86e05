import type { PortalSessionCreated } from '@posthorn/contract'
import { CodeBlock } from '../../components/code-block.tsx'
import { OnceDialog } from '../../components/once-dialog.tsx'
import { Time } from '../../components/time.tsx'
import { frameCode } from '../../words/portal-link-words.ts'

export interface PortalLinkOnceProps {
  readonly link: PortalSessionCreated
  readonly url: string
  readonly onDone: () => void
}

/** The link, shown for the only time; the first person who opens it is signed in. */
export function PortalLinkOnce({ link, url, onDone }: PortalLinkOnceProps) {
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
