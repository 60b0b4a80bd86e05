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

/** Lifts a suppression; says the reason first, and asks for consent if the recipient objected. */
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
      title="Send mail to this address again?"
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
        {suppressionReasonWords[reason]}; suppressed: <bdi>{lowerFirst(heldBackWords(scope))}</bdi>.
      </p>
      <p>{consequence}</p>
      <p className="text-ink-2">Other suppressions of this address stay in force.</p>
      <ActionProblem error={lift.error} />
    </ConfirmDialog>
  )
}

function lowerFirst(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1)
}
