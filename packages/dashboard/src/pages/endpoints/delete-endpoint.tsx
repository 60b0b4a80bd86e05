import type { Webhook } from '@posthorn/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { announce } from '../../app/announce.ts'
import { useWebhookHealth } from '../../api/use-webhook-health.ts'
import { useSession } from '../../app/session.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { deleteWords } from '../../words/delete-words.ts'
import { hostOf } from '../../words/url-words.ts'

/** Ends an endpoint for ever, after its host was typed. */
export function DeleteEndpoint({ webhook }: { webhook: Webhook }) {
  const { call } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { retention_days: days } = useSession()
  const { health } = useWebhookHealth(webhook.id)
  const [isAsked, setIsAsked] = useState(false)
  const section = useRef<HTMLElement>(null)
  const { hash } = useLocation()
  useEffect(() => {
    if (hash === 'delete') section.current?.querySelector('button')?.focus()
  }, [hash])
  const host = hostOf(webhook.url)
  const deleting = useMutation({
    mutationFn: async () => await call('deleteWebhook', { params: { id: webhook.id } }),
    onSuccess: async () => {
      announce(`${host} is deleted`)
      await navigate({ to: '/endpoints' })
      void queries.invalidateQueries({ queryKey: ['webhooks'] })
      void queries.invalidateQueries({ queryKey: ['webhook-health'] })
    },
  })
  const words = deleteWords(health?.waiting ?? 0, days)
  const consequences = (
    <p>
      {words.lost !== null && <strong>{words.lost}</strong>}
      {words.rest}
    </p>
  )
  return (
    <section ref={section} id="delete" aria-label="Delete" className="space-y-2 border-t border-line pt-5">
      <h2>Delete</h2>
      {consequences}
      <Button kind="danger" icon={<Trash2 size={16} aria-hidden />} onClick={() => setIsAsked(true)}>
        Delete endpoint …
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={`Delete ${host}?`}
          confirm="Delete endpoint"
          danger
          typed={host}
          busy={deleting.isPending}
          onConfirm={() => deleting.mutate()}
          onCancel={() => {
            setIsAsked(false)
            deleting.reset()
          }}
        >
          {consequences}
          <ActionProblem error={deleting.error} />
        </ConfirmDialog>
      )}
    </section>
  )
}
