import type { NoticeWebhook } from '@posthorn/contract'
import { Problem } from '../../components/problem.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useMayChange } from '../../app/session.ts'
import { NoticeForm } from './notice-form.tsx'
import { NoticeNow } from './notice-now.tsx'
import { type NoticeWebhookState, useNoticeWebhook } from './use-notice-webhook.ts'
import { useState } from 'react'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { hostOf } from '../../words/url-words.ts'

/** The URL that gets notices about endpoints and domains. */
export function NoticeSettings() {
  const state = useNoticeWebhook()
  const { current, secret, forgetSecret } = state
  return (
    <section aria-labelledby="notices" className="mt-10 max-w-180 space-y-3">
      <h2 id="notices">Notices</h2>
      <p className="text-ink-2">
        We send notices to your URL when an endpoint starts to fail, when we disable it, and when it works
        again: <code>webhook.warning</code>, <code>webhook.disabled</code>, <code>webhook.recovered</code>.
        And when a DNS record of a domain disappears or is back: <code>domain.warning</code>,{' '}
        <code>domain.recovered</code>. They are signed and retried like events.
      </p>
      {current.error !== null && <Problem error={current.error} onRetry={() => void current.refetch()} />}
      {current.isPending && <Skeleton lines={2} />}
      {current.data !== undefined && <Notices notices={current.data} state={state} />}
      {secret !== null && <SecretDialog secret={secret} secretName="NOTICE_SECRET" onDone={forgetSecret} />}
    </section>
  )
}

function Notices({ notices, state }: { notices: NoticeWebhook | null; state: NoticeWebhookState }) {
  const { save, stop } = state
  const mayChange = useMayChange()
  return (
    <>
      <NoticeNow notices={notices} save={mayChange ? save : null} />
      {mayChange && <NoticeForm key={notices?.url ?? ''} url={notices?.url ?? ''} save={save} />}
      {mayChange && notices !== null && <StopNotices notices={notices} stop={stop} />}
    </>
  )
}

/** Stops notices, after saying what that means. */
function StopNotices({ notices, stop }: { notices: NoticeWebhook; stop: NoticeWebhookState['stop'] }) {
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
