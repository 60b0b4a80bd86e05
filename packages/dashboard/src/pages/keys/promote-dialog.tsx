import type { SigningKey } from '@posthorn/contract'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { RotationProblem } from './rotation-problem.tsx'

export interface PromoteDialogProps {
  readonly replacement: SigningKey
  readonly isBusy: boolean
  readonly error: Error | null
  readonly onPromote: () => void
  readonly onCancel: () => void
}

/** Asks before a secret that the receiver may not accept becomes the only one. */
export function PromoteDialog({ replacement, isBusy, error, onPromote, onCancel }: PromoteDialogProps) {
  const { attempts, verified } = replacement.recent ?? { attempts: 0, verified: 0 }
  return (
    <ConfirmDialog
      title="Make the replacement primary?"
      confirm="Make primary anyway"
      ticked="My receiver accepts it"
      busy={isBusy}
      onConfirm={onPromote}
      onCancel={onCancel}
    >
      <p>
        {verified === 0
          ? 'We have not seen your receiver accept this secret.'
          : `We have seen your receiver accept this secret in ${verified} of the last ${attempts} attempts only. Some of your servers may not have it yet.`}{' '}
        If it does not, deliveries fail from now on, and you cannot restore the old secret.
      </p>
      <RotationProblem error={error} />
    </ConfirmDialog>
  )
}
