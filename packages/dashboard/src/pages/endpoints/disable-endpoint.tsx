import type { Webhook } from '@posthorn/contract'
import { useRef } from 'react'
import { announce } from '../../app/announce.ts'
import { useSession } from '../../app/session.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Button } from '../../components/button.tsx'
import { disabledMessage, disableWords } from '../../words/disable-words.ts'
import { useUpdateWebhook } from './use-update-webhook.ts'

/** Disables an endpoint. The top of the page shows how much waits, and the button that enables it. */
export function DisableEndpoint({ webhook }: { webhook: Webhook }) {
  const { retention_days: days } = useSession()
  const section = useRef<HTMLElement>(null)
  const update = useUpdateWebhook(webhook.id)
  const disable = async (): Promise<void> => {
    await update.mutateAsync({ enabled: false })
    announce(disabledMessage)
    // the button is gone
    section.current?.focus()
  }
  return (
    <section ref={section} tabIndex={-1} aria-label="Disable" className="space-y-2 border-t border-line pt-5">
      <h2>Disable</h2>
      {webhook.status === 'disabled' ? (
        <p>
          We send nothing to this endpoint. The top of this page shows how many events wait and how to enable
          it.
        </p>
      ) : (
        <>
          <p>{disableWords(days)}</p>
          <Button
            busy={update.isPending}
            // the error is shown below
            onClick={() => void disable().catch(() => {})}
          >
            Disable endpoint
          </Button>
        </>
      )}
      <ActionProblem error={update.error} />
    </section>
  )
}
