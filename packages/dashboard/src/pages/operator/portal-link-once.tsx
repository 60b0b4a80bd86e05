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

/** The link, for the only time: whoever opens it first is in. */
export function PortalLinkOnce({ link, url, onDone }: PortalLinkOnceProps) {
  return (
    <OnceDialog
      title="Copy the portal link"
      about="This is the only time we show it. It opens once, for whoever opens it first."
      leaveWords="Leave without copying? You would have to make another link."
      what="link"
      secret={url}
      onDone={onDone}
    >
      <p>
        It lasts until <Time at={link.expires_at} relative />.
      </p>
      {link.allowed_origins.length > 0 && (
        <>
          <p>For a page of {link.allowed_origins.join(', ')}:</p>
          <CodeBlock code={frameCode(url)} what="frame" />
        </>
      )}
    </OnceDialog>
  )
}
