import type { Account, ApiKey } from '@posthorn/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { announce } from '../../app/announce.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Time } from '../../components/time.tsx'

export interface RevokeKeyDialogProps {
  readonly account: Account
  readonly apiKey: ApiKey
  readonly onClose: () => void
}

/** Asks before a key is revoked, and says when it was last used. */
export function RevokeKeyDialog({ account, apiKey, onClose }: RevokeKeyDialogProps) {
  const { call } = useApi()
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: async () => await call('revokeApiKey', { params: { id: account.id, key_id: apiKey.id } }),
    onSuccess: () => {
      announce(`Key ${apiKey.name} revoked`)
      void queries.invalidateQueries({ queryKey: ['account-keys', account.id] })
      void queries.invalidateQueries({ queryKey: ['audit-log', account.id] })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Revoke the key “${apiKey.name}”?`}
      confirm="Revoke key"
      danger
      busy={revoke.isPending}
      onConfirm={() => revoke.mutate()}
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
      <ActionProblem error={revoke.error} />
    </ConfirmDialog>
  )
}
