import type { NoticeWebhook } from '@posthorn/contract'
import { CircleCheck, CircleDashed, OctagonX } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Time } from '../../components/time.tsx'
import type { NoticeWebhookState } from './use-notice-webhook.ts'

export interface NoticeNowProps {
  readonly notices: NoticeWebhook | null
  /** Null if the session is read-only. */
  readonly save: NoticeWebhookState['save'] | null
}

/** Whether notices are on, and where they go. */
export function NoticeNow({ notices, save }: NoticeNowProps) {
  if (notices === null) {
    return (
      <p className="flex items-start gap-2">
        <CircleDashed size={16} aria-hidden className="mt-0.5 shrink-0 text-ink-3" />
        Notices are off. Failing endpoints show only on the overview.
      </p>
    )
  }
  if (notices.status === 'enabled') {
    return (
      <p className="flex items-start gap-2">
        <CircleCheck size={16} aria-hidden className="mt-0.5 shrink-0 text-delivered" />
        <span className="min-w-0 break-words">
          Notices go to <code>{notices.url}</code>, signed with <code>{notices.secret_prefix}…</code>, since{' '}
          <Time at={notices.created_at} />.
        </span>
      </p>
    )
  }
  return (
    <div className="flex flex-wrap items-center gap-3 border-l-4 border-exhausted bg-exhausted-tint px-4 py-2">
      <OctagonX size={16} aria-hidden className="shrink-0 text-exhausted" />
      <p className="min-w-0 flex-1 break-words">
        Notices stopped: <code>{notices.url}</code>{' '}
        {notices.disabled_reason === 'gone' ? 'answered 410 (gone).' : 'failed for too long.'}
      </p>
      {save !== null && (
        <Button busy={save.isPending} onClick={() => save.mutate(notices.url)}>
          Send notices again
        </Button>
      )}
    </div>
  )
}
