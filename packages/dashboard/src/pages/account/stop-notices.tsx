import type { NoticeWebhook } from '@posthorn/contract'
import { useState } from 'react'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { hostOf } from '../../words/url-words.ts'
import type { NoticeWebhookState } from './use-notice-webhook.ts'

/** Stops notices, after saying what that means. */
export function StopNotices({ notices, stop }: { notices: NoticeWebhook; stop: NoticeWebhookState['stop'] }) {
  const [isAsked, setIsAsked] = useState(false)
  return (
    <>
      <p className="text-ink-2">Lost the secret? Stop notices and set them up again to get a new one.</p>
      <Button kind="danger" onClick={() => setIsAsked(true)}>
        Stop notices
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={`Stop notices to ${hostOf(notices.url)}?`}
          confirm="Stop notices"
          danger
          busy={stop.isPending}
          onConfirm={() => stop.mutate(undefined, { onSuccess: () => setIsAsked(false) })}
          onCancel={() => setIsAsked(false)}
        >
          <p>
            You get no more notices at this URL when an endpoint fails or is disabled. The secret{' '}
            <code>{notices.secret_prefix}…</code> is erased.
          </p>
          <ActionProblem error={stop.error} />
        </ConfirmDialog>
      )}
    </>
  )
}
