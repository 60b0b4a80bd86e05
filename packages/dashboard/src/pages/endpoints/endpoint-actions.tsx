import type { Webhook } from '@posthorn/contract'
import { announce } from '../../app/announce.ts'
import { useMayChange, useSession } from '../../app/session.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { SendTest } from '../../components/send-test.tsx'
import { disabledMessage, disableWords } from '../../words/disable-words.ts'
import type { News } from './endpoint-news.tsx'
import { RunCheckButton } from './run-check-button.tsx'
import { useUpdateWebhook } from './use-update-webhook.ts'
import { useNavigate } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { Menu } from '../../components/menu.tsx'

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

interface DisableMenuProps {
  readonly webhookId: string
  readonly busy: boolean
  readonly onDisable: () => void
}

/** Disables or deletes an endpoint, after saying what follows. */
function DisableMenu({ webhookId: id, busy, onDisable }: DisableMenuProps) {
  const { retention_days: days } = useSession()
  const navigate = useNavigate()
  return (
    <Menu
      label="Disable"
      trigger={
        <>
          {busy ? 'Disabling' : 'Disable'} <ChevronDown size={16} aria-hidden />
        </>
      }
      items={[
        { label: 'Disable now', hint: disableWords(days), onSelect: onDisable },
        {
          label: 'Delete endpoint …',
          danger: true,
          onSelect: () => void navigate({ to: '/endpoints/$id/settings', params: { id }, hash: 'delete' }),
        },
      ]}
    />
  )
}
