import type { Delivery, ExhaustedReason, Webhook } from '@posthorn/contract'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useEndpointHealth } from '../../api/use-endpoint-health.ts'
import { useShortcuts } from '../../app/shortcuts.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Time } from '../../components/time.tsx'
import { enableLabel } from '../../words/enable-words.ts'
import { endpointName } from '../../words/endpoint-name.ts'
import type { Retry } from './use-retry.ts'

export interface RetryButtonProps {
  readonly delivery: Delivery
  /** Undefined if it was deleted. */
  readonly endpoint: Webhook | undefined
  readonly retry: Retry
  /** The label `Retry now`, where there is space. */
  readonly label?: string
  /** A smaller button within a row. */
  readonly isSmall?: boolean
  /** The key `r` also triggers it; for one button of a page. */
  readonly hasShortcut?: boolean
}

const noKeys = {}

/** Sends a delivery again now. It asks first if the delivery succeeded already or its endpoint is disabled. */
export function RetryButton({
  delivery,
  endpoint,
  retry,
  label = 'Retry now',
  isSmall = false,
  hasShortcut = false,
}: RetryButtonProps) {
  const [asked, setAsked] = useState(false)
  const offered = mayRetry(delivery, endpoint)
  const isSure = delivery.state !== 'delivered' && endpoint?.status === 'enabled'
  const press = (): void => {
    if (retry.busy || !offered) return
    if (isSure) retry.start()
    else setAsked(true)
  }
  useShortcuts(hasShortcut ? { r: press } : noKeys)
  if (!offered) return null
  const close = (): void => setAsked(false)
  const start = (enable: boolean): void => {
    close()
    retry.start({ enable })
  }
  return (
    <>
      <Button
        icon={<RotateCw size={isSmall ? 14 : 16} aria-hidden />}
        busy={retry.busy}
        onClick={press}
        className={isSmall ? 'min-h-6! px-2! py-0! pointer-coarse:min-h-11!' : ''}
      >
        {retry.busy ? 'Trying…' : label}
      </Button>
      {asked && endpoint?.status === 'disabled' && (
        <EnableDialog endpoint={endpoint} onConfirm={() => start(true)} onCancel={close} />
      )}
      {asked && endpoint?.status === 'enabled' && (
        <ConfirmDialog
          title="Send it again?"
          confirm="Send it again"
          onConfirm={() => start(false)}
          onCancel={close}
        >
          <p>
            It was delivered at <Time at={delivery.delivered_at ?? delivery.created_at} />. Send it again? It
            keeps its event id.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface EnableDialogProps {
  readonly endpoint: Webhook
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

function EnableDialog({ endpoint, onConfirm, onCancel }: EnableDialogProps) {
  const health = useEndpointHealth().data?.find(({ webhook_id: id }) => id === endpoint.id)
  return (
    <ConfirmDialog
      title={`${endpointName(endpoint)} is disabled`}
      confirm={enableLabel(health?.waiting_count ?? 0)}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <p>
        We send nothing to a disabled endpoint, so a retry would only wait. Enable it now? We then send all
        waiting deliveries, oldest first, and this one too.
      </p>
    </ConfirmDialog>
  )
}

const neverAgain: readonly (ExhaustedReason | null)[] = ['endpoint_deleted', 'erased', 'expired']

/** Whether a retry makes sense: the body and the endpoint exist, and no attempt is due. */
function mayRetry(delivery: Delivery, endpoint: Webhook | undefined): boolean {
  if (endpoint === undefined || neverAgain.includes(delivery.reason)) return false
  return delivery.state !== 'pending' || endpoint.status === 'disabled'
}
