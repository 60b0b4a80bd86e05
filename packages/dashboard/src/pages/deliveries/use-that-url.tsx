import type { Webhook } from '@posthorn/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { announce } from '../../app/announce.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'

export interface UseThatUrlProps {
  readonly endpoint: Webhook
  /** As the receiver sent it. */
  readonly location: string | undefined
}

/** Replaces the endpoint's URL with a redirect's target, after showing both. */
export function UseThatUrl({ endpoint, location }: UseThatUrlProps) {
  const { call } = useApi()
  const queries = useQueryClient()
  const [asked, setAsked] = useState(false)
  const wanted = location === undefined ? null : URL.parse(location, endpoint.url)?.href
  const saving = useMutation({
    mutationFn: async (url: string) =>
      await call('updateWebhook', { params: { id: endpoint.id }, body: { url } }),
    onSuccess: async () => {
      announce('The endpoint has the new URL.')
      await queries.invalidateQueries({ queryKey: ['webhooks'] })
    },
    onSettled: () => setAsked(false),
  })
  // a location that was cut for storage is not a URL to use
  if (wanted === null || wanted === undefined || location?.endsWith('…') || wanted === endpoint.url)
    return null
  return (
    <>
      <Button kind="primary" busy={saving.isPending} onClick={() => setAsked(true)}>
        Use that URL
      </Button>
      <ActionProblem error={saving.error} />
      {asked && (
        <ConfirmDialog
          title="Change the endpoint’s URL?"
          confirm="Use that URL"
          busy={saving.isPending}
          onConfirm={() => saving.mutate(wanted)}
          onCancel={() => setAsked(false)}
        >
          <p>We will send every event to the new URL.</p>
          <dl className="space-y-1">
            <dt className="text-ink-3">Now</dt>
            <dd className="font-mono text-code break-all">{endpoint.url}</dd>
            <dt className="text-ink-3">New</dt>
            <dd className="font-mono text-code break-all">{wanted}</dd>
          </dl>
        </ConfirmDialog>
      )}
    </>
  )
}
