import type { Account } from '@posthorn/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { announce } from '../../app/announce.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { countOf } from '../../format/numbers.ts'
import { ChangeButton } from './change-button.tsx'

/** Deletes an account after its name was typed. */
export function DeleteAccount({ account }: { account: Account }) {
  const { call } = useApi()
  const queries = useQueryClient()
  const router = useRouter()
  const [isAsked, setIsAsked] = useState(false)
  const remove = useMutation({
    mutationFn: async () => await call('deleteAccount', { params: { id: account.id } }),
    onSuccess: async () => {
      announce(`Account ${account.name} deleted`)
      await router.navigate({ to: '/operator/accounts' })
      queries.removeQueries({ queryKey: ['account', account.id] })
      void queries.invalidateQueries({ queryKey: ['accounts'] })
    },
  })
  const endpoints = countOf(account.endpoint_count, 'endpoint', 'endpoints')
  return (
    <section aria-labelledby="delete" className="space-y-3">
      <h2 id="delete">Delete this account</h2>
      <p className="text-ink-2">
        Its API keys and its {endpoints} stop working at once. Waiting events are never sent, and its data is
        deleted within a day.
      </p>
      <ChangeButton kind="danger" onClick={() => setIsAsked(true)}>
        Delete account
      </ChangeButton>
      {isAsked && (
        <ConfirmDialog
          title={`Delete ${account.name}?`}
          confirm="Delete account"
          danger
          typed={account.name.trim()}
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onCancel={() => setIsAsked(false)}
        >
          <p>
            <strong>Its {endpoints} get no more events, and waiting events are never sent.</strong> API keys,
            signing secrets, events and deliveries are deleted within a day. Nobody can restore them.
          </p>
          <ActionProblem error={remove.error} />
        </ConfirmDialog>
      )}
    </section>
  )
}
