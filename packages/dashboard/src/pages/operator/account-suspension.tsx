import type { Account } from '@posthorn/contract'
import { useState } from 'react'
import { announce } from '../../app/announce.ts'
import { useNowMs } from '../../app/clock.ts'
import { usePreferences } from '../../app/preferences.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Time } from '../../components/time.tsx'
import { Verdict } from '../../components/verdict.tsx'
import { sendingState, suspensionReasons } from '../../words/sending-words.ts'
import { ChangeButton } from './change-button.tsx'
import { SuspendedBadge } from './suspended-badge.tsx'
import { useUpdateAccount } from './use-update-account.ts'

/** Whether the account may send emails, and the button that changes it. */
export function AccountSuspension({ account }: { account: Account }) {
  const { suspended_at: since, suspended_reason: reason } = account
  const [isAsked, setIsAsked] = useState(false)
  const update = useUpdateAccount(account.id)
  const isSuspended = since !== null
  const close = (): void => {
    setIsAsked(false)
    update.reset()
  }
  const change = (): void =>
    update.mutate(
      { suspended: !isSuspended },
      {
        onSuccess: () => {
          announce(isSuspended ? `${account.name} may send emails` : `${account.name} is suspended`)
          setIsAsked(false)
        },
      },
    )
  return (
    <>
      {isSuspended ? (
        <Verdict
          label="Suspension"
          tone="exhausted"
          headline={
            <>
              <SuspendedBadge /> since <Time at={since} />
              {reason !== null && `: ${suspensionReasons[reason]}`}.
            </>
          }
          actions={<ChangeButton onClick={() => setIsAsked(true)}>Lift suspension</ChangeButton>}
        >
          <p>New emails get 403 sending_suspended. Accepted emails are still handed over.</p>
        </Verdict>
      ) : (
        <NotSuspended account={account} onSuspend={() => setIsAsked(true)} />
      )}
      {isAsked && (
        <ConfirmDialog
          title={isSuspended ? `Lift the suspension of ${account.name}?` : `Suspend ${account.name}?`}
          confirm={isSuspended ? 'Lift suspension' : 'Suspend'}
          danger={!isSuspended}
          busy={update.isPending}
          onConfirm={change}
          onCancel={close}
        >
          <p>
            {isSuspended
              ? 'We accept its emails again at once. Bounces and complaints until now no longer count.'
              : 'We accept no new emails of this account until you lift the suspension. Accepted emails are still handed over, and webhooks still arrive.'}
          </p>
          <ActionProblem error={update.error} />
        </ConfirmDialog>
      )}
    </>
  )
}

function NotSuspended({ account, onSuspend }: { account: Account; onSuspend: () => void }) {
  const { zone } = usePreferences()
  const nowMs = useNowMs(60_000)
  const { maySend, headline } = sendingState(account, { zone, nowMs })
  const suspend = <ChangeButton onClick={onSuspend}>Suspend</ChangeButton>
  if (!maySend) {
    return (
      <Verdict label="Limit" tone="failed" headline={headline} actions={suspend}>
        <p>New emails get 429 quota_exceeded. To let it send more now, raise the limit below.</p>
      </Verdict>
    )
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="text-ink-2">{headline}</p>
      {suspend}
    </div>
  )
}
