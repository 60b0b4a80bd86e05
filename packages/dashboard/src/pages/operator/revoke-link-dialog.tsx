import type { PortalSession } from '@posthorn/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { announce } from '../../app/announce.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'

/** Asks before a portal link and its session end. */
export function RevokeLinkDialog({ link, onClose }: { link: PortalSession; onClose: () => void }) {
  const { call } = useApi()
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: async () => await call('revokePortalSession', { params: { id: link.id } }),
    onSuccess: () => {
      announce('Link revoked')
      void queries.invalidateQueries({ queryKey: ['portal-links', link.account_id] })
      void queries.invalidateQueries({ queryKey: ['audit-log', link.account_id] })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title="Revoke this link?"
      confirm="Revoke link"
      danger
      busy={revoke.isPending}
      onConfirm={() => revoke.mutate()}
      onCancel={onClose}
    >
      <p>
        {link.exchanged_at === null
          ? 'The link stops working.'
          : 'The person who opened it is signed out at once. Unsaved input is lost.'}
      </p>
      {link.scopes.includes('keys') && (
        <p>API keys that its session created keep working. You find them in the list of API keys.</p>
      )}
      <ActionProblem error={revoke.error} />
    </ConfirmDialog>
  )
}
