import { Play } from 'lucide-react'
import { announce } from '../../app/announce.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Button } from '../../components/button.tsx'
import { enabledWords, enableLabel } from '../../words/enable-words.ts'
import { useUpdateWebhook } from './use-update-webhook.ts'

export interface EnableButtonProps {
  readonly webhookId: string
  readonly waiting: number
  /** Called with a sentence about what happens now. */
  readonly onEnabled?: (words: string) => void
}

/** Enables an endpoint; waiting deliveries go out, oldest first. */
export function EnableButton({ webhookId, waiting, onEnabled }: EnableButtonProps) {
  const update = useUpdateWebhook(webhookId)
  const enable = async (): Promise<void> => {
    await update.mutateAsync({ enabled: true })
    const words = enabledWords(waiting)
    announce(words)
    onEnabled?.(words)
  }
  return (
    <>
      <Button
        kind="primary"
        icon={<Play size={16} aria-hidden />}
        busy={update.isPending}
        // the error is shown beside the button
        onClick={() => void enable().catch(() => {})}
      >
        {enableLabel(waiting)}
      </Button>
      <ActionProblem error={update.error} />
    </>
  )
}
