import type { Webhook } from '@posthorn/contract'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { SendTest } from '../../components/send-test.tsx'

export interface NewSecretDialogProps {
  readonly webhook: Pick<Webhook, 'id' | 'url' | 'status'>
  readonly secret: string
  readonly onDone: () => void
}

/** The secret of a new endpoint, with a button to try it. */
export function NewSecretDialog({ webhook, secret, onDone }: NewSecretDialogProps) {
  const path = URL.parse(webhook.url)?.pathname
  return (
    <SecretDialog secret={secret} onDone={onDone} {...(path !== undefined && { path })}>
      <section aria-label="Now try it" className="space-y-2 border-t border-line pt-4">
        {webhook.status === 'enabled' ? (
          <>
            <p className="text-ink-2">
              Now try it. If your receiver does not have the secret yet, it answers 401. In that case, send
              another test event.
            </p>
            <SendTest webhookId={webhook.id} label="Send test event" />
          </>
        ) : (
          <p className="text-ink-2">It is disabled. Enable it to send a test event.</p>
        )}
      </section>
    </SecretDialog>
  )
}
