import type { SigningKey } from '@posthorn/contract'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { RotationProblem } from './rotation-problem.tsx'
import { secretStart } from './secret-start.ts'

export interface DiscardDialogProps {
  readonly replacement: SigningKey
  readonly isBusy: boolean
  readonly error: Error | null
  readonly onDiscard: (makeAnother: boolean) => void
  readonly onCancel: () => void
}

/** Asks before a replacement is discarded, and says that this breaks nothing. */
export function DiscardDialog({ replacement, isBusy, error, onDiscard, onCancel }: DiscardDialogProps) {
  const start = secretStart(replacement)
  return (
    <Dialog
      title={`Discard ${start}?`}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <Button busy={isBusy} onClick={() => onDiscard(false)}>
            Discard
          </Button>
          <Button kind="primary" busy={isBusy} onClick={() => onDiscard(true)}>
            Discard and create another
          </Button>
        </>
      }
    >
      <p>This discards {start}. The current secret keeps signing. Nothing breaks.</p>
      <RotationProblem error={error} />
    </Dialog>
  )
}
