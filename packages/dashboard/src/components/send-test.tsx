import type { EventType } from '@posthorn/contract'
import { useMutation } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useApi } from '../api/api-context.ts'
import { useAsked } from '../app/use-asked.ts'
import { ActionProblem } from './action-problem.tsx'
import { Button } from './button.tsx'
import type { ButtonKind } from './button-look.ts'
import { FollowedDelivery } from './followed-delivery.tsx'

export interface SendTestProps {
  readonly webhookId: string
  /** The type of the sample event; the endpoint gets it whatever types it subscribes to. */
  readonly type?: EventType
  /** The button's label. */
  readonly label?: string
  readonly kind?: ButtonKind
  /** Sends at once if a search result asks for it. */
  readonly answersSearch?: boolean
}

/** Sends a sample event and follows its delivery until its first attempt is over. */
export function SendTest({
  webhookId,
  type = 'email.delivered',
  label = 'Send test',
  kind,
  answersSearch = false,
}: SendTestProps) {
  const { call } = useApi()
  const sending = useMutation({
    mutationFn: async () => await call('sendTestEvent', { params: { id: webhookId }, body: { type } }),
  })
  return (
    <div className="flex flex-wrap items-center gap-2">
      {answersSearch && <Asked onTest={() => sending.mutate()} />}
      <Button
        {...(kind !== undefined && { kind })}
        icon={<Send size={16} aria-hidden />}
        busy={sending.isPending}
        onClick={() => sending.mutate()}
      >
        {label}
      </Button>
      <ActionProblem error={sending.error} />
      {sending.data !== undefined && (
        <FollowedDelivery key={sending.data.delivery_id} id={sending.data.delivery_id} />
      )}
    </div>
  )
}

/** A component of its own, because only one button of a page may take what was asked for. */
function Asked({ onTest }: { onTest: () => void }) {
  useAsked(asked => asked === 'test' && onTest())
  return null
}
