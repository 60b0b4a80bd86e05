import type { Webhook } from '@posthorn/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useApi } from '../../api/api-context.ts'
import { announce } from '../../app/announce.ts'
import { useWebhookHealth } from '../../api/use-webhook-health.ts'
import { useSession } from '../../app/session.ts'
import { DeleteSection } from '../../components/delete-section.tsx'
import { deleteWords } from '../../words/delete-words.ts'
import { endpointName } from '../../words/endpoint-name.ts'
import { hostOf } from '../../words/url-words.ts'

/** Deletes an endpoint after its host was typed. */
export function DeleteEndpoint({ webhook }: { webhook: Webhook }) {
  const { call } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { retention_days: days } = useSession()
  const { health } = useWebhookHealth(webhook.id)
  const section = useRef<HTMLElement>(null)
  const { hash } = useLocation()
  useEffect(() => {
    if (hash === 'delete') section.current?.querySelector('button')?.focus()
  }, [hash])
  const name = endpointName(webhook)
  const deleting = useMutation({
    mutationFn: async () => await call('deleteWebhook', { params: { id: webhook.id } }),
    onSuccess: async () => {
      announce(`${name} was deleted`)
      await navigate({ to: '/endpoints' })
      void queries.invalidateQueries({ queryKey: ['webhooks'] })
      void queries.invalidateQueries({ queryKey: ['webhook-health'] })
    },
  })
  const words = deleteWords(health?.waiting_count ?? 0, days)
  const consequences = (
    <p>
      {words.lost !== null && <strong>{words.lost}</strong>}
      {words.rest}
    </p>
  )
  return (
    <DeleteSection
      what="endpoint"
      name={name}
      typed={hostOf(webhook.url)}
      consequences={consequences}
      deleting={deleting}
      ref={section}
    />
  )
}
