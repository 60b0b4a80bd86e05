import type { WebhookCreated } from '@posthorn/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { isRefused, useUrlCheck } from '../../api/use-url-check.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Button } from '../../components/button.tsx'
import { createBody, draftProblems, type EndpointDraft, newDraft } from './endpoint-draft.ts'
import { EndpointFields, isSaidAtField, MoreEndpointFields } from './endpoint-fields.tsx'

/** The form for a new endpoint. It passes the result on and does not keep it, because it contains a secret. */
export function NewEndpointForm({ onCreated }: { onCreated: (webhook: WebhookCreated) => void }) {
  const { call } = useApi()
  const queries = useQueryClient()
  const [draft, setDraft] = useState<EndpointDraft>(newDraft)
  const [startDisabled, setStartDisabled] = useState(false)
  const [problem, setProblem] = useState<Error | null>(null)
  const [busy, setBusy] = useState(false)
  const knowledge = useUrlCheck(draft.url)
  const isWrong = isRefused(knowledge) || Object.keys(draftProblems(draft)).length > 0

  const change = (changed: Partial<EndpointDraft>): void => {
    setDraft(old => ({ ...old, ...changed }))
    setProblem(null)
  }
  const create = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (busy || isWrong) return
    setBusy(true)
    try {
      onCreated(await call('createWebhook', { body: createBody(draft, startDisabled) }))
      void queries.invalidateQueries({ queryKey: ['webhooks'] })
      void queries.invalidateQueries({ queryKey: ['webhook-health'] })
    } catch (cause) {
      setProblem(cause instanceof Error ? cause : new Error(String(cause)))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form noValidate onSubmit={event => void create(event)} className="max-w-170 space-y-5">
      <EndpointFields draft={draft} knowledge={knowledge} problem={problem} onChange={change} />
      <details className="space-y-4">
        <summary className="w-fit text-link">
          More: headers, filters, rate limit, Standard Webhooks, start disabled
        </summary>
        <div className="mt-3 space-y-4 border-l-2 border-line pl-4">
          <MoreEndpointFields draft={draft} problem={problem} onChange={change} />
          <label className="flex items-center gap-2 pointer-coarse:min-h-11">
            <input
              type="checkbox"
              checked={startDisabled}
              onChange={({ target }) => setStartDisabled(target.checked)}
            />
            Start disabled: events wait until you enable it
          </label>
        </div>
      </details>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" kind="primary" busy={busy} disabled={isWrong || draft.url.trim() === ''}>
          Create
        </Button>
        {!isSaidAtField(problem) && <ActionProblem error={problem} />}
      </div>
    </form>
  )
}
