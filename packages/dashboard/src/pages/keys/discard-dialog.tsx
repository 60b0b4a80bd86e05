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

/** Says what discarding a replacement does: nothing that breaks. */
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
            Discard and make another
          </Button>
        </>
      }
    >
      <p>Throws away {start}. The current secret goes on signing. Nothing breaks.</p>
      <RotationProblem error={error} />
    </Dialog>
  )
}
