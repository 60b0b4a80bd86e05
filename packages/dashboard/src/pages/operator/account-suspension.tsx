import type { Account } from '@posthorn/contract'
import { useState } from 'react'
import { announce } from '../../app/announce.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Time } from '../../components/time.tsx'
import { Verdict } from '../../components/verdict.tsx'
import { suspensionReasons } from '../../words/sending-words.ts'
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
          actions={<Button onClick={() => setIsAsked(true)}>Lift suspension</Button>}
        >
          <p>New emails get 403 sending_suspended. Accepted emails are still handed over.</p>
        </Verdict>
      ) : (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="text-ink-2">The account may send emails.</p>
          <Button onClick={() => setIsAsked(true)}>Suspend</Button>
        </div>
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
