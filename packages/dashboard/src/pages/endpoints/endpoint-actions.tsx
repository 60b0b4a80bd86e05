import type { Webhook } from '@posthorn/contract'
import { announce } from '../../app/announce.ts'
import { useMayChange } from '../../app/session.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { SendTest } from '../../components/send-test.tsx'
import { disabledMessage } from '../../words/disable-words.ts'
import { DisableMenu } from './disable-menu.tsx'
import type { News } from './endpoint-news.tsx'
import { RunCheckButton } from './run-check-button.tsx'
import { useUpdateWebhook } from './use-update-webhook.ts'

export interface EndpointActionsProps {
  readonly webhook: Webhook
  readonly onNews: (news: News) => void
}

/** The actions for an enabled endpoint. A disabled one has its actions in the verdict. */
export function EndpointActions({ webhook, onNews }: EndpointActionsProps) {
  const mayChange = useMayChange()
  const update = useUpdateWebhook(webhook.id)
  if (!mayChange || webhook.status === 'disabled') return null
  const disable = async (): Promise<void> => {
    await update.mutateAsync({ enabled: false })
    announce(disabledMessage)
    onNews({ words: disabledMessage, status: 'disabled' })
  }
  return (
    <>
      <RunCheckButton webhookId={webhook.id} />
      <SendTest
        webhookId={webhook.id}
        answersSearch
        {...(webhook.events[0] !== undefined && { type: webhook.events[0] })}
      />
      <DisableMenu
        webhookId={webhook.id}
        busy={update.isPending}
        // the error is shown beside the menu
        onDisable={() => void disable().catch(() => {})}
      />
      <ActionProblem error={update.error} />
    </>
  )
}
