import type { Webhook, WebhookHealth } from '@posthorn/contract'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { announce } from '../../app/announce.ts'
import { useMayChange, useSession } from '../../app/session.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Menu, type MenuItem } from '../../components/menu.tsx'
import { disabledMessage, disableWords } from '../../words/disable-words.ts'
import { drainWords, enabledWords, enableLabel } from '../../words/enable-words.ts'
import { endpointName } from '../../words/endpoint-name.ts'
import { useEndpointChecks } from './use-endpoint-checks.ts'
import { useUpdateWebhook } from './use-update-webhook.ts'

/** The actions for an endpoint in the list. */
export function EndpointMenu({ webhook, health }: { webhook: Webhook; health: WebhookHealth }) {
  const mayChange = useMayChange()
  const { retention_days: days } = useSession()
  const navigate = useNavigate()
  const checks = useEndpointChecks(webhook.id)
  const update = useUpdateWebhook(webhook.id)
  const params = { id: webhook.id }

  const setEnabled = async (enabled: boolean): Promise<void> => {
    await update.mutateAsync({ enabled })
    announce(enabled ? enabledWords(health.waiting_count) : disabledMessage)
  }
  const changes: MenuItem[] = [
    {
      label: 'Run check',
      onSelect: () => {
        checks.run()
        void navigate({ to: '/endpoints/$id/check', params })
      },
    },
    // the error is shown beside the menu
    webhook.status === 'disabled'
      ? {
          label: enableLabel(health.waiting_count),
          hint: drainWords(health),
          onSelect: () => void setEnabled(true).catch(() => {}),
        }
      : {
          label: 'Disable now',
          hint: disableWords(days),
          onSelect: () => void setEnabled(false).catch(() => {}),
        },
  ]
  return (
    <div className="relative z-1 max-wide:absolute max-wide:top-1 max-wide:right-0">
      <Menu
        label={`More for ${endpointName(webhook)}`}
        kind="quiet"
        trigger={<Ellipsis size={16} aria-hidden />}
        items={[
          { label: 'Signing keys', onSelect: () => void navigate({ to: '/endpoints/$id/keys', params }) },
          { label: 'Replays', onSelect: () => void navigate({ to: '/endpoints/$id/replays', params }) },
          { label: 'Settings', onSelect: () => void navigate({ to: '/endpoints/$id/settings', params }) },
          ...(mayChange ? changes : []),
        ]}
      />
      {update.error !== null && (
        <div className="absolute top-full right-0 w-64 rounded border border-line bg-surface p-2 text-left whitespace-normal shadow-float">
          <ActionProblem error={update.error} />
        </div>
      )}
    </div>
  )
}
