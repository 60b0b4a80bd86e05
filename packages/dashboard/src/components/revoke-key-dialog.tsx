import type { ApiKey } from '@posthorn/contract'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { announce } from '../app/announce.ts'
import { ActionProblem } from './action-problem.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Time } from './time.tsx'

export interface RevokeKeyDialogProps {
  readonly apiKey: ApiKey
  /** What else happens. */
  readonly children?: ReactNode
  readonly revoke: () => Promise<void>
  readonly onRevoked: () => void
  readonly onClose: () => void
}

/** Asks before a key is revoked, and says when it was last used. The reader types the name of a key that is in use. */
export function RevokeKeyDialog({ apiKey, children, revoke, onRevoked, onClose }: RevokeKeyDialogProps) {
  const revocation = useMutation({
    mutationFn: revoke,
    onSuccess: () => {
      announce(`Key ${apiKey.name} revoked`)
      onRevoked()
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Revoke the key “${apiKey.name}”?`}
      confirm="Revoke key"
      danger
      {...(apiKey.last_used_at !== null && { typed: apiKey.name.trim() })}
      busy={revocation.isPending}
      onConfirm={() => revocation.mutate()}
      onCancel={onClose}
    >
      <p>
        <strong>Programs that use this key lose access at once</strong>, and its sessions end.{' '}
        {apiKey.last_used_at === null ? (
          'It was never used.'
        ) : (
          <>
            It was last used at <Time at={apiKey.last_used_at} relative />.
          </>
        )}
      </p>
      {children}
      <ActionProblem error={revocation.error} />
    </ConfirmDialog>
  )
}
