import type { Webhook } from '@posthorn/contract'
import { CircleCheck } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { isRefused, useUrlCheck } from '../../api/use-url-check.ts'
import { useWebhookHealth } from '../../api/use-webhook-health.ts'
import { announce } from '../../app/announce.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Button } from '../../components/button.tsx'
import { draftOf, draftProblems, type EndpointDraft, updateBody } from './endpoint-draft.ts'
import { EndpointFields, isSaidAtField, MoreEndpointFields } from './endpoint-fields.tsx'
import { useUpdateWebhook } from './use-update-webhook.ts'

/** Changes an endpoint. It sends only changed fields, so that changes by others stay. */
export function EndpointSettingsForm({ webhook }: { webhook: Webhook }) {
  const [known, setKnown] = useState(webhook)
  const [draft, setDraft] = useState(() => draftOf(webhook))
  const [isSaved, setIsSaved] = useState(false)
  const update = useUpdateWebhook(webhook.id)
  const body = updateBody(draft, known)
  const isChanged = Object.keys(body).length > 0
  // if the endpoint redirects, the check knows the final URL
  const isRedirected = useWebhookHealth(webhook.id).health?.last_error_code === 'redirect_refused'
  const knowledge = useUrlCheck(draft.url, 'url' in body || isRedirected)
  const isWrong = isRefused(knowledge) || Object.keys(draftProblems(draft)).length > 0

  const change = (changed: Partial<EndpointDraft>): void => {
    setDraft(old => ({ ...old, ...changed }))
    setIsSaved(false)
    update.reset()
  }
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (update.isPending || isWrong || !isChanged) return
    const saved = await update.mutateAsync(body)
    setKnown(saved)
    setDraft(draftOf(saved))
    setIsSaved(true)
    announce('Saved')
  }
  return (
    // the error is shown at its field or beside the button
    <form noValidate onSubmit={event => void save(event).catch(() => {})} className="space-y-5">
      <EndpointFields draft={draft} knowledge={knowledge} problem={update.error} onChange={change} />
      <MoreEndpointFields draft={draft} problem={update.error} onChange={change} />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" kind="primary" busy={update.isPending} disabled={isWrong || !isChanged}>
          Save
        </Button>
        {isSaved && (
          <span className="flex items-center gap-1.5 text-delivered">
            <CircleCheck size={16} aria-hidden /> Saved. All new attempts use these settings.
          </span>
        )}
        {!isSaidAtField(update.error) && <ActionProblem error={update.error} />}
      </div>
    </form>
  )
}
