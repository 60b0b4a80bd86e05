import type { EventType } from '@posthorn/contract'
import { useMutation } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useApi } from '../api/api-context.ts'
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
}

/** Sends a sample event and follows its delivery until its first attempt is over. */
export function SendTest({ webhookId, type = 'email.delivered', label = 'Send test', kind }: SendTestProps) {
  const { call } = useApi()
  const sending = useMutation({
    mutationFn: async () => await call('sendTestEvent', { params: { id: webhookId }, body: { type } }),
  })
  return (
    <div className="flex flex-wrap items-center gap-2">
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
