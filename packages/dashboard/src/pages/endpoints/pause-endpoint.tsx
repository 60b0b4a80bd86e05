import type { Webhook } from '@posthorn/contract'
import { useRef } from 'react'
import { announce } from '../../app/announce.ts'
import { useSession } from '../../app/session.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Button } from '../../components/button.tsx'
import { pausedWords, pauseWords } from '../../words/pause-words.ts'
import { useUpdateWebhook } from './use-update-webhook.ts'

/** Pauses an endpoint. The top of the page shows how much waits, and the button that enables it. */
export function PauseEndpoint({ webhook }: { webhook: Webhook }) {
  const { retention_days: days } = useSession()
  const section = useRef<HTMLElement>(null)
  const update = useUpdateWebhook(webhook.id)
  const pause = async (): Promise<void> => {
    await update.mutateAsync({ enabled: false })
    announce(pausedWords)
    // the button is gone
    section.current?.focus()
  }
  return (
    <section ref={section} tabIndex={-1} aria-label="Pause" className="space-y-2 border-t border-line pt-5">
      <h2>Pause</h2>
      {webhook.status === 'disabled' ? (
        <p>
          We send nothing to this endpoint. The top of this page shows how many events wait and how to enable
          it.
        </p>
      ) : (
        <>
          <p>{pauseWords(days)}</p>
          <Button
            busy={update.isPending}
            // the error is shown below
            onClick={() => void pause().catch(() => {})}
          >
            Pause endpoint
          </Button>
        </>
      )}
      <ActionProblem error={update.error} />
    </section>
  )
}
