import type { Suppression } from '@posthorn/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { announce } from '../../app/announce.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { heldBackWords, liftWords, suppressionReasonWords } from '../../words/suppression-words.ts'

export interface LiftDialogProps {
  readonly suppression: Suppression
  readonly onClose: () => void
}

/** Lets mail go to an address again; says before why it did not, and asks for consent where somebody said no. */
export function LiftDialog({ suppression, onClose }: LiftDialogProps) {
  const { call } = useApi()
  const queries = useQueryClient()
  const { id, address, reason, scope } = suppression
  const { consequence, consent } = liftWords(reason)
  const lift = useMutation({
    mutationFn: async () => await call('liftSuppression', { params: { id } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['suppressions'] })
      announce('The suppression is lifted')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title="Write to this address again?"
      confirm="Lift suppression"
      {...(consent !== null && { ticked: consent })}
      busy={lift.isPending}
      onConfirm={() => lift.mutate()}
      onCancel={onClose}
    >
      <p className="font-medium wrap-anywhere">
        <bdi>{address ?? 'An address that was erased'}</bdi>
      </p>
      <p>
        {suppressionReasonWords[reason]}; held back: <bdi>{lowerFirst(heldBackWords(scope))}</bdi>.
      </p>
      <p>{consequence}</p>
      <p className="text-ink-2">Other suppressions of the same address stand.</p>
      <ActionProblem error={lift.error} />
    </ConfirmDialog>
  )
}

function lowerFirst(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1)
}
