import type { NoticeWebhook } from '@posthorn/contract'
import { Problem } from '../../components/problem.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useMayChange } from '../../app/session.ts'
import { NoticeForm } from './notice-form.tsx'
import { NoticeNow } from './notice-now.tsx'
import { StopNotices } from './stop-notices.tsx'
import { type NoticeWebhookState, useNoticeWebhook } from './use-notice-webhook.ts'

/** Where the account is told that an endpoint fails, was disabled, or works again. */
export function NoticeSettings() {
  const state = useNoticeWebhook()
  const { current, secret, forgetSecret } = state
  return (
    <section aria-labelledby="notices" className="mt-10 max-w-180 space-y-3">
      <h2 id="notices">Notices</h2>
      <p className="text-ink-2">
        A URL of yours that we tell when an endpoint begins to fail, when we disable it, and when it is back:{' '}
        <code>webhook.warning</code>, <code>webhook.disabled</code>, <code>webhook.recovered</code>, signed
        and retried as events are.
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
