import type { Webhook } from '@posthorn/contract'
import { useRef } from 'react'
import { announce } from '../../app/announce.ts'
import { useSession } from '../../app/session.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Button } from '../../components/button.tsx'
import { pausedWords, pauseWords } from '../../words/pause-words.ts'
import { useUpdateWebhook } from './use-update-webhook.ts'

/** Stops an endpoint for a while. To go on is at the top of the page, where it also says how much waits. */
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
        <p>Nothing is sent to it. What waits, and the way to enable it, stand at the top of this page.</p>
      ) : (
        <>
          <p>{pauseWords(days)}</p>
          <Button
            busy={update.isPending}
            // what went wrong stands below
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
